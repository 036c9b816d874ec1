//! Location of events, for every method.

use wolff_numerics::{
    Crossing, DenseStep, EventAction, EventRecord, Method, OdeError, OdeSystem, Options, Report, integrate,
};

use super::models::Ball;
use crate::{assert_close, observed_order};

const METHODS: [Method; 7] = [
    Method::Euler,
    Method::Rk4,
    Method::AdamsBashforthMoulton4,
    Method::Adams,
    Method::DormandPrince5,
    Method::Dop853,
    Method::Bdf,
];

fn bounce(method: Method, options: &Options) -> Report {
    let mut y = [1.0, 0.0];
    integrate(&mut Ball { restitution: 0.8 }, method, options, 0.0, &mut y, 3.0, &mut ()).unwrap()
}

fn impacts(report: &Report) -> Vec<&EventRecord> {
    report.events.iter().filter(|e| e.index == 0).collect()
}

/// Largest error of the first five impact times; every impact is seen once, falling.
fn impact_error(method: Method, options: &Options) -> f64 {
    let report = bounce(method, options);
    let exact = Ball { restitution: 0.8 }.impact_times(20);
    let found = impacts(&report);
    assert!(found.iter().all(|e| e.direction == Crossing::Falling), "{method:?}");
    found.iter().zip(&exact).take(5).map(|(e, t)| (e.t - t).abs()).fold(0.0, f64::max)
}

#[test]
fn impact_times_are_exact_where_the_method_is() {
    // a parabola is integrated exactly by methods of order 2 and more
    let options = Options { h: 0.037, ..Options::tolerances(1e-9, 1e-11) };
    for method in &METHODS[1..] {
        let error = impact_error(*method, &options);
        let allowed = if *method == Method::Bdf { 1e-7 } else { 1e-12 };
        assert!(error < allowed, "{method:?}: {error:e}");
    }
    let exact = Ball { restitution: 0.8 }.impact_times(20).iter().filter(|&&t| t < 3.0).count();
    assert_eq!(impacts(&bounce(Method::Rk4, &options)).len(), exact);
}

#[test]
fn euler_impact_times_converge_with_its_order() {
    let errors: Vec<f64> =
        [1e-3, 5e-4, 2.5e-4].iter().map(|&h| impact_error(Method::Euler, &Options::fixed_step(h))).collect();
    assert_close(observed_order(&errors), 1.0, 0.1);
}

#[test]
fn an_impact_right_after_the_start_is_not_missed() {
    for method in METHODS {
        let mut y = [1e-9, -1.0];
        let options = Options { h: 0.01, ..Options::tolerances(1e-8, 1e-10) };
        let report = integrate(&mut Ball { restitution: 0.8 }, method, &options, 0.0, &mut y, 0.05, &mut ()).unwrap();
        assert_eq!((report.events[0].index, report.events[0].direction), (0, Crossing::Falling), "{method:?}");
        assert_close(report.events[0].t, 1e-9, 1e-12);
        assert!(report.events.len() == 1 && y[0] > 0.02);
    }
}

#[test]
fn apex_and_impact_alternate() {
    for method in METHODS {
        let report = bounce(method, &Options { h: 0.01, ..Options::tolerances(1e-8, 1e-10) });
        let order: Vec<usize> = report.events.iter().map(|e| e.index).take(9).collect();
        // the first drop starts at the apex, which is no crossing
        assert_eq!(order, [0, 1, 0, 1, 0, 1, 0, 1, 0], "{method:?}");
    }
}

/// `x'' = -x` from (0, 1): a start on the zero of event 0, and identical events 1 and 2 at cos t = 0.
struct Oscillator {
    stop_after: usize,
    seen: usize,
}

impl OdeSystem for Oscillator {
    fn dim(&self) -> usize {
        2
    }

    fn rhs(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), OdeError> {
        dy.copy_from_slice(&[y[1], -y[0]]);
        Ok(())
    }

    fn event_count(&self) -> usize {
        3
    }

    fn events(&mut self, _t: f64, y: &[f64], g: &mut [f64]) -> Result<(), OdeError> {
        g.copy_from_slice(&[y[0], y[1], 3.0 * y[1]]);
        Ok(())
    }

    fn on_event(&mut self, _: usize, _: Crossing, _: f64, _: &mut [f64]) -> Result<EventAction, OdeError> {
        self.seen += 1;
        Ok(if self.seen == self.stop_after { EventAction::Stop } else { EventAction::Continue })
    }
}

fn oscillate(method: Method, options: &Options, t_end: f64) -> Report {
    let mut y = [0.0, 1.0];
    let mut system = Oscillator { stop_after: usize::MAX, seen: 0 };
    integrate(&mut system, method, options, 0.0, &mut y, t_end, &mut ()).unwrap()
}

#[test]
fn starts_at_zero_and_simultaneous_events() {
    use std::f64::consts::FRAC_PI_2;
    for method in METHODS {
        let report = oscillate(method, &Options { h: 0.001, ..Options::tolerances(1e-9, 1e-11) }, 7.0);
        let found: Vec<(usize, Crossing)> = report.events.iter().map(|e| (e.index, e.direction)).collect();
        let (up, down) = (Crossing::Rising, Crossing::Falling);
        assert_eq!(found, [(1, down), (2, down), (0, down), (1, up), (2, up), (0, up)], "{method:?}");
        let quarters = [1.0, 1.0, 2.0, 3.0, 3.0, 4.0];
        let tolerance = match method {
            Method::Euler => 1e-2,
            Method::Bdf => 2e-6,
            _ => 1e-8,
        };
        for (event, quarter) in report.events.iter().zip(quarters) {
            assert_close(event.t, quarter * FRAC_PI_2, tolerance);
        }
    }
}

#[test]
fn event_times_converge_with_the_order_of_the_method() {
    // the located state is a real step of the method: order 4, not the order 3 of the cubic between steps
    let errors: Vec<f64> = [0.2, 0.1, 0.05]
        .iter()
        .map(|&h| {
            let report = oscillate(Method::Rk4, &Options::fixed_step(h), 5.0);
            (report.events[3].t - 1.5 * std::f64::consts::PI).abs()
        })
        .collect();
    assert_close(observed_order(&errors), 4.0, 0.4);
}

#[test]
fn stop_ends_the_run_at_the_event() {
    for method in METHODS {
        let mut system = Oscillator { stop_after: 3, seen: 0 };
        let mut y = [0.0, 1.0];
        let mut last = 0.0;
        let mut observer = |s: &DenseStep| last = s.t1;
        let options = Options { h: 0.001, ..Options::tolerances(1e-9, 1e-11) };
        let report = integrate(&mut system, method, &options, 0.0, &mut y, 9.0, &mut observer).unwrap();
        assert!(report.stopped_early);
        assert_eq!((report.t, report.events.len()), (last, 3));
        assert_close(y[0], 0.0, 1e-11);
    }
}

/// A constant speed against a wall that reports each touch; the gap is reset by the event.
struct Sawtooth;

impl OdeSystem for Sawtooth {
    fn dim(&self) -> usize {
        1
    }

    fn rhs(&mut self, _t: f64, _y: &[f64], dy: &mut [f64]) -> Result<(), OdeError> {
        dy[0] = -1.0;
        Ok(())
    }

    fn event_count(&self) -> usize {
        1
    }

    fn events(&mut self, _t: f64, y: &[f64], g: &mut [f64]) -> Result<(), OdeError> {
        g[0] = y[0];
        Ok(())
    }

    fn on_event(&mut self, _: usize, _: Crossing, _: f64, y: &mut [f64]) -> Result<EventAction, OdeError> {
        y[0] = 0.3;
        Ok(EventAction::Restart)
    }
}

#[test]
fn jumps_of_the_state_count_once_even_within_long_steps() {
    for method in METHODS {
        let mut y = [0.3];
        let options = Options { h: 0.25, h_init: Some(0.25), ..Options::tolerances(1e-8, 1e-10) };
        let report = integrate(&mut Sawtooth, method, &options, 0.0, &mut y, 3.1, &mut ()).unwrap();
        assert_eq!(report.events.len(), 10, "{method:?}");
        for (k, event) in report.events.iter().enumerate() {
            assert_close(event.t, 0.3 * (k + 1) as f64, 1e-9);
        }
        assert_close(y[0], 0.2, 1e-9);
    }
}

/// A point that moves at unit speed past a gate: `g > 0` for a tenth of the width of a step or less.
struct Gate {
    centre: f64,
    half_width: f64,
}

impl OdeSystem for Gate {
    fn dim(&self) -> usize {
        1
    }

    fn rhs(&mut self, _t: f64, _y: &[f64], dy: &mut [f64]) -> Result<(), OdeError> {
        dy[0] = 1.0;
        Ok(())
    }

    fn event_count(&self) -> usize {
        1
    }

    fn events(&mut self, _t: f64, y: &[f64], g: &mut [f64]) -> Result<(), OdeError> {
        g[0] = self.half_width.powi(2) - (y[0] - self.centre).powi(2);
        Ok(())
    }
}

#[test]
fn a_short_excursion_within_a_step_is_not_missed() {
    for method in [Method::Rk4, Method::DormandPrince5, Method::Dop853, Method::Bdf] {
        for centre in [0.13, 0.37, 0.5, 0.871] {
            let options = Options { h: 1.0, h_init: Some(1.0), ..Options::tolerances(1e-6, 1e-6) };
            let mut gate = Gate { centre, half_width: 0.01 };
            let report = integrate(&mut gate, method, &options, 0.0, &mut [0.0], 1.0, &mut ()).unwrap();
            let times: Vec<f64> = report.events.iter().map(|e| e.t).collect();
            assert_eq!(times.len(), 2, "{method:?} {centre}: {times:?}");
            assert!((times[0] - centre + 0.01).abs() < 1e-9 && (times[1] - centre - 0.01).abs() < 1e-9);
        }
    }
}
