//! Groups of things that are known to be alike or unlike.

/// Union-find with a sign: every member knows whether it is like the first of its group.
///
/// Source: Tarjan, Efficiency of a good but not linear set union algorithm, J ACM 22 (1975); the sign is added up along
/// the way to the root.
#[derive(Clone, Debug)]
pub(super) struct SignedGroups {
    /// The one above, and whether it is unlike.
    above: Vec<(usize, bool)>,
    size: Vec<usize>,
}

impl SignedGroups {
    /// Each of `count` in a group of its own.
    pub fn new(count: usize) -> Self {
        SignedGroups { above: (0..count).map(|k| (k, false)).collect(), size: vec![1; count] }
    }

    /// The first of the group, and whether `k` is unlike it.
    pub fn find(&mut self, k: usize) -> (usize, bool) {
        let (mut root, mut unlike) = (k, false);
        while self.above[root].0 != root {
            unlike ^= self.above[root].1;
            root = self.above[root].0;
        }
        // all on the way hang on the root from now on
        let (mut at, mut sign) = (k, unlike);
        while at != root {
            let (next, step) = std::mem::replace(&mut self.above[at], (root, sign));
            (at, sign) = (next, sign ^ step);
        }
        (root, unlike)
    }

    /// Notes that a and b differ, or agree; nothing happens where that is known or contradicts what is known.
    pub fn relate(&mut self, a: usize, b: usize, differ: bool) {
        let ((root_a, sign_a), (root_b, sign_b)) = (self.find(a), self.find(b));
        if root_a == root_b {
            return;
        }
        let (small, large) = if self.size[root_a] < self.size[root_b] { (root_a, root_b) } else { (root_b, root_a) };
        self.above[small] = (large, sign_a ^ sign_b ^ differ);
        self.size[large] += self.size[small];
    }
}
