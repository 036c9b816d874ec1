//! The fibula parallel to the tibia: a bar between its head and the lateral malleolus.

use crate::parametric::Side;
use nalgebra::DMatrix;
use wolff_flexbody::{FlexBody, Node};
use wolff_spatial::Vec3;

use crate::BoneError;
use crate::person::Ends;

/// Name of the node where the head of the fibula meets the tibia.
pub const HEAD: &str = "fibula_head";

/// A fibula with hinged ends: its head on a patch of the tibia, its malleolus on the rigid interface of the ankle.
///
/// It is an axial spring; its stiffness k follows from the share p of an axial force on the joints that it carries,
///
/// ```text
/// N_f = k e = k e₀ / (1 + k c),   N_f = p F   =>   k = p F / (e₀ - p F c)
/// ```
/// e₀ shortening of the distance of its ends under F without it \[m\], c their compliance along it \[m/N\]. Measured
/// shares are 6.4 % (Takebe 1984) and 7.1 % (Goh 1992); a rigidly connected bar of its whole section would take 20 to
/// 25 %; the joints of the real one are soft. Muscle forces on it are divided between its ends by the lever rule: it
/// does not bend.
///
/// Limits: behind and lateral of the tibia the spring also resists its bending, more than the axial force. With a
/// share of 7 % the tension of a recorded walk at the anteromedial rosette fell from 704 to 375 microstrain and
/// compression grew from -251 to -331, on a tibia 6 % broader than the CT mean. The tibia bends under the spring, so
/// k depends strongly on the share: check the reported stiffness.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fibula {
    /// Head, in the frame of the segment \[m\].
    pub head: Vec3,
    /// Lateral malleolus \[m\].
    pub malleolus: Vec3,
    /// Share of the axial force, 0 to 0.5.
    pub share: f64,
}

impl Fibula {
    /// Behind and lateral of a tibia with these ends, from 6 % of its length below the plateau to the level of the
    /// plafond: at mid-shaft 17 mm behind and 25 mm lateral of the line of joint centres (own choice, 25 mm behind
    /// and 24 mm lateral of the mean CT shaft), share 7 %.
    pub fn of_shank(ends: &Ends, side: Side) -> Self {
        let sign = side.outward();
        Fibula {
            head: Vec3::new(-0.020, ends.height(0.06), sign * 0.027),
            malleolus: Vec3::new(-0.015, ends.height(1.0), sign * 0.023),
            share: 0.07,
        }
    }

    pub(crate) fn check(&self) -> Result<(), BoneError> {
        let finite = self.head.iter().chain(self.malleolus.iter()).all(|c| c.is_finite());
        if !(finite && (self.head - self.malleolus).norm() > 0.02 && (0.0..=0.5).contains(&self.share)) {
            let rule = format!(
                "ends {:?} and {:?} m must be apart by more than 0.02 m and the share {} within 0 to 0.5",
                self.head.as_slice(),
                self.malleolus.as_slice(),
                self.share
            );
            return Err(BoneError::invalid("fibula", rule));
        }
        Ok(())
    }

    /// Connects the spring to a body whose joints are the nodes `joints`; returns its stiffness \[N/m\].
    pub(crate) fn join(&self, body: &mut FlexBody, joints: &[String; 2]) -> Result<f64, BoneError> {
        let along = (self.malleolus - self.head).normalize();
        let ends = self.ends(body, &joints[1])?;
        // e = bᵀ η: change of the distance of the ends
        let b = (&ends[1].translation - &ends[0].translation).transpose() * along;
        let force = Vec3::y();
        let axial = (&body.node(&joints[1])?.translation - &body.node(&joints[0])?.translation).transpose() * force;
        let failed = || BoneError::invalid(&body.name, "its modal stiffness is not positive definite");
        let factor = body.stiffness.clone().cholesky().ok_or_else(failed)?;
        let (shortening, compliance) = (b.dot(&factor.solve(&axial)).abs(), b.dot(&factor.solve(&b)));
        let stiffness = self.share / (shortening - self.share * compliance);
        if !(stiffness >= 0.0 && stiffness.is_finite()) {
            let rule = format!(
                "no spring can take {} of the axial force between these ends; give a smaller share",
                self.share
            );
            return Err(BoneError::invalid("fibula", rule));
        }
        body.stiffness += &b * b.transpose() * stiffness;
        Ok(stiffness)
    }

    /// The node of a point that the fibula carries.
    pub(crate) fn node(&self, body: &FlexBody, joint: &str, name: &str, point: Vec3) -> Result<Node, BoneError> {
        let [head, malleolus] = self.ends(body, joint)?;
        let (axis, length) = ((self.malleolus - self.head).normalize(), (self.malleolus - self.head).norm());
        let s = (point - self.head).dot(&axis) / length;
        let off = point - self.head - axis * (s * length);
        let modes = body.modes();
        let (mut translation, mut rotation) = (DMatrix::zeros(3, modes), DMatrix::zeros(3, modes));
        for mode in 0..modes {
            let column = |m: &DMatrix<f64>| m.fixed_view::<3, 1>(0, mode).into_owned();
            let (from, to) = (column(&head.translation), column(&malleolus.translation));
            let twist = 0.5 * axis.dot(&(column(&head.rotation) + column(&malleolus.rotation)));
            let turn = axis.cross(&(to - from)) / length + axis * twist;
            translation.set_column(mode, &(from * (1.0 - s) + to * s + turn.cross(&off)));
            rotation.set_column(mode, &turn);
        }
        Ok(Node::new(name, point, translation, rotation))
    }

    /// Its ends as nodes: the head as it is on the body, the malleolus carried by the rigid interface of the joint.
    fn ends(&self, body: &FlexBody, joint: &str) -> Result<[Node; 2], BoneError> {
        let ankle = body.node(joint)?;
        let arm = self.malleolus - ankle.position;
        let mut malleolus = Node::new("malleolus", self.malleolus, ankle.translation.clone(), ankle.rotation.clone());
        for (mut shift, turn) in malleolus.translation.column_iter_mut().zip(ankle.rotation.column_iter()) {
            shift += Vec3::new(turn[0], turn[1], turn[2]).cross(&arm);
        }
        Ok([body.node(HEAD)?.clone(), malleolus])
    }
}
