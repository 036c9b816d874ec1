//! Phases of the gait cycle from the contacts of both feet.

/// A foot is in stance where the vertical ground force exceeds this fraction of body weight.
pub const STANDING: f64 = 0.02;

/// Interruptions of contact shorter than this fraction of the stride are no swing; chosen here.
const INTERRUPTION: f64 = 0.05;

/// Contact of one foot within a stride, in fractions of the stride.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Heel strike, from the beginning of the stride.
    pub strike: f64,
    /// Duration of stance.
    pub stance: f64,
}

/// Contacts of the right and the left foot in one stride.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Phases {
    /// Right and left foot.
    pub feet: [Contact; 2],
}

impl Phases {
    /// From whether the right and the left foot touch the ground at equal intervals of one stride; `None` where a foot
    /// never or always does.
    pub fn new(stands: [&[bool]; 2]) -> Option<Self> {
        let contact = |stands: &[bool]| {
            let (first, count) = longest_contact(stands)?;
            let share = |k: usize| k as f64 / stands.len() as f64;
            Some(Contact { strike: share(first), stance: share(count) })
        };
        Some(Phases { feet: [contact(stands[0])?, contact(stands[1])?] })
    }

    /// Fraction of the stride of a foot (0 right, 1 left) that has passed at a fraction of the recorded stride.
    pub fn own(&self, side: usize, share: f64) -> f64 {
        (share - self.feet[side].strike).rem_euclid(1.0)
    }

    /// Durations of the double supports that begin with the strike of a foot (0 right, 1 left) and with that of the
    /// other one, as fractions of the stride; zero where the other foot has left the ground by then, as in running.
    pub fn double_support(&self, side: usize) -> [f64; 2] {
        let (own, other) = (self.feet[side], self.feet[1 - side]);
        // from the strike of one foot until the other one leaves the ground
        let shared = |a: Contact, b: Contact| (b.stance - (a.strike - b.strike).rem_euclid(1.0)).max(0.0);
        [shared(own, other), shared(other, own)]
    }
}

/// First index and length of the longest run of contact in a periodic signal; short interruptions count as contact.
/// `None` where there is no contact, or nothing else.
fn longest_contact(stands: &[bool]) -> Option<(usize, usize)> {
    let n = stands.len();
    let short = (INTERRUPTION * n as f64) as usize;
    let run = |from: usize, what: bool| (0..n).take_while(|k| stands[(from + k) % n] == what).count();
    let length = |first: usize| {
        let mut end = run(first, true);
        while end < n {
            let gap = run(first + end, false);
            if gap > short || end + gap >= n {
                break;
            }
            end += gap + run(first + end + gap, true);
        }
        end.min(n)
    };
    let begins = |i: &usize| stands[*i] && !stands[(*i + n - 1) % n];
    let all = (0..n).filter(begins).map(|first| (first, length(first)));
    // of equal runs the first
    let longest = all.fold(None, |best: Option<(usize, usize)>, run| match best {
        Some(best) if best.1 >= run.1 => Some(best),
        _ => Some(run),
    })?;
    (longest.1 < n).then_some(longest)
}
