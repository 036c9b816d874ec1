//! "Did you mean": the nearest of the known words.

/// Number of insertions, deletions and substitutions from one word to the other.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// Advice for an unknown word: the nearest known word if it is close, else all known words.
pub fn suggest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    const LONGEST_WORD: usize = 64;
    const LONGEST_LIST: usize = 40;
    let known: Vec<&str> = known.into_iter().collect();
    let nearest = known.iter().filter(|k| word.len().max(k.len()) <= LONGEST_WORD);
    let nearest = nearest.map(|k| (edit_distance(word, k), k)).min_by_key(|(distance, _)| *distance);
    match nearest {
        Some((distance, k)) if distance <= 1 + word.chars().count() / 3 => Some(format!("did you mean `{k}`?")),
        _ if known.is_empty() => None,
        _ if known.len() > LONGEST_LIST => Some(format!("there are {} names to choose from", known.len())),
        _ => Some(format!("known: {}", known.join(", "))),
    }
}
