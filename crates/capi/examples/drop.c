/*
 * A ball falls on a layer of cartilage and comes to rest.
 *
 * The ball (radius R, mass m) is a mesh of triangles made here, the layer (thickness h, confined modulus k) a grid of springs on a
 * plane. The six equations of motion are reduced to the height z of the centre, m z'' = F(z, z') - m g, and stepped by hand; a
 * multibody code would do this instead. At rest the weight is carried at the depth d of
 *
 *     m g = pi k d^2 (3 R - d)/(3 h),      k = E (1 - nu)/((1 + nu)(1 - 2 nu)).
 *
 * Prints time [s], height above first touch [mm], force [N]; exit code 0 if the ball rests where the formula says.
 */
#include "wolff.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;

static const double RADIUS = 0.030;      /* R [m] */
static const double MASS = 1.0;          /* m [kg] */
static const double GRAVITY = 9.81;      /* g [m/s^2] */
static const double THICKNESS = 0.003;   /* h [m] */
static const double YOUNGS_MODULUS = 4e6; /* E [Pa] */
static const double POISSONS_RATIO = 0.45;
static const double DAMPING = 15.0;      /* a [s/m] */
static const double HEIGHT = 0.010;      /* fall [m] */

/* The flat triangles lie up to (edge)^2/(8 R) = 0.1 um inside of the ball, of a depth of 143 um: 0.1 % of the depth, 0.2 % of F. */
static const double TOLERANCE = 2e-3;

/* The lower cap of the ball, as far as it can touch: rings of vertices about the lowest point. */
enum { RINGS = 64, SECTORS = 160, VERTICES = 1 + RINGS * SECTORS, TRIANGLES = SECTORS * (2 * RINGS - 1) };
static const double CAP_ANGLE = 0.4; /* [rad] from the lowest point */

/* Ends the program where a call failed. */
static void require(WolffCode code) {
    if (code != WOLFF_CODE_OK) {
        fprintf(stderr, "wolff error %d: %s\n", (int)code, wolff_last_error());
        exit(1);
    }
}

static WolffSurface *ball_cap(void) {
    static double vertices[3 * VERTICES];
    static uint32_t triangles[3 * TRIANGLES];
    double *x = vertices;
    uint32_t *t = triangles;
    WolffSurface *surface = NULL;
    *x++ = 0.0, *x++ = 0.0, *x++ = -RADIUS;
    for (int ring = 1; ring <= RINGS; ring++) {
        for (int sector = 0; sector < SECTORS; sector++) {
            double theta = CAP_ANGLE * ring / RINGS, phi = 2.0 * PI * sector / SECTORS;
            *x++ = RADIUS * sin(theta) * cos(phi);
            *x++ = RADIUS * sin(theta) * sin(phi);
            *x++ = -RADIUS * cos(theta);
        }
    }
    /* counter-clockwise seen from outside, which is below */
    for (uint32_t sector = 0; sector < SECTORS; sector++) {
        uint32_t next = (sector + 1) % SECTORS;
        *t++ = 0, *t++ = 1 + next, *t++ = 1 + sector;
        for (uint32_t ring = 1; ring < RINGS; ring++) {
            uint32_t inner = 1 + (ring - 1) * SECTORS, outer = 1 + ring * SECTORS;
            *t++ = inner + sector, *t++ = inner + next, *t++ = outer + sector;
            *t++ = inner + next, *t++ = outer + next, *t++ = outer + sector;
        }
    }
    require(wolff_surface_triangles(vertices, VERTICES, triangles, TRIANGLES, WOLFF_NORMALS_SMOOTH, &surface));
    return surface;
}

static WolffContact *ball_on_layer(void) {
    const double origin[3] = {0.0, 0.0, 0.0}, up[3] = {0.0, 0.0, 1.0};
    const WolffGrid grid = {
        .shape = WOLFF_GRID_SHAPE_PLANE,
        .normal = {0.0, 0.0, 1.0},
        .along = {1.0, 0.0, 0.0},
        .first = {-0.012, 0.012},
        .second = {-0.012, 0.012},
        .counts = {24, 24},
        .range = {-0.001, 0.001},
    };
    const WolffLayer layer = {.kind = WOLFF_LAYER_KIND_CONSTANT, .thickness = THICKNESS};
    WolffSurface *ball = ball_cap(), *floor = NULL;
    WolffBuilder *builder = NULL;
    WolffContact *contact = NULL;
    require(wolff_surface_plane(origin, up, &floor));
    require(wolff_builder_new(ball, floor, &builder));
    require(wolff_builder_add_grid(builder, "layer", &grid, &layer));
    require(wolff_builder_set_linear(builder, WOLFF_BODY_FIXED, YOUNGS_MODULUS, POISSONS_RATIO, WOLFF_STRAIN_SMALL));
    require(wolff_builder_set_damping(builder, DAMPING));
    require(wolff_builder_set_method(builder, WOLFF_DISTANCE_RAY, WOLFF_ALONG_FIXED_NORMAL, WOLFF_RULE_ADAPTIVE));
    require(wolff_contact_build(builder, &contact));
    /* the contact keeps what it needs */
    wolff_builder_free(builder);
    wolff_surface_free(floor);
    wolff_surface_free(ball);
    return contact;
}

/* Depth at which the layer carries the force F, by Newton's method. */
static double static_depth(double F) {
    double k = YOUNGS_MODULUS * (1.0 - POISSONS_RATIO) / ((1.0 + POISSONS_RATIO) * (1.0 - 2.0 * POISSONS_RATIO));
    double d = sqrt(F * THICKNESS / (PI * k * RADIUS));
    for (int i = 0; i < 20; i++) {
        double excess = PI * k * d * d * (3.0 * RADIUS - d) / (3.0 * THICKNESS) - F;
        d -= excess / (PI * k * d * (2.0 * RADIUS - d) / THICKNESS);
    }
    return d;
}

int main(void) {
    const double step = 1e-4; /* [s]; the ball on the layer swings at 370 rad/s */
    const int steps = 4000, print_every = 100;
    WolffContact *contact = ball_on_layer();
    WolffContactResult result;
    double q[6] = {0.0, 0.0, RADIUS + HEIGHT, 0.0, 0.0, 0.0}, u[6] = {0.0};

    printf("wolff %s\n%10s %12s %12s\n", wolff_version(), "time [s]", "height [mm]", "force [N]");
    for (int i = 0; i <= steps; i++) {
        require(wolff_contact_evaluate(contact, q, u, &result));
        if (i % print_every == 0) {
            printf("%10.4f %12.5f %12.5f\n", i * step, 1e3 * (q[2] - RADIUS), result.force_on_moving[2]);
        }
        /* semi-implicit Euler: the new velocity moves the ball */
        u[2] += step * (result.force_on_moving[2] / MASS - GRAVITY);
        q[2] += step * u[2];
    }
    wolff_contact_free(contact);

    double depth = RADIUS - q[2], expected = static_depth(MASS * GRAVITY);
    printf("depth at rest %.5f um, closed form %.5f um, speed %.1e m/s\n", 1e6 * depth, 1e6 * expected, fabs(u[2]));
    return fabs(depth - expected) < TOLERANCE * expected && fabs(u[2]) < 1e-9 ? 0 : 1;
}
