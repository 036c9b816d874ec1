//! A person walks and a bone bends.
