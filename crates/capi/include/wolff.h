/*
 * Wolff: elastic foundation contact for any multibody code.
 *
 * A moving surface presses into layers on a fixed body. Make surfaces, collect elements, materials and options in a builder, build
 * the contact, then pass six coordinates and their rates and get force and torque on both bodies. SI units everywhere.
 *
 * Every call returns a code. If it fails, it sets the message of wolff_last_error, and outputs are not written (handles are
 * NULL). No call ends the process. NULL and numbers that are not finite are errors. The caller is responsible for the rest:
 * pointers are valid for the stated number of items, handles are valid and freed once. A handle may be passed between threads,
 * but must be used by one thread at a time; wolff_contact_clone creates another one.
 *
 * Written by cbindgen from the sources in crates/capi/src: do not edit.
 */

#ifndef WOLFF_H
#define WOLFF_H

#include <stddef.h>
#include <stdint.h>

// Result of a call. Every code except `WOLFF_CODE_OK` sets the message of `wolff_last_error`.
typedef enum {
    // Success.
    WOLFF_CODE_OK = 0,
    // A required pointer is NULL.
    WOLFF_CODE_NULL_POINTER = 1,
    // A number is infinite or not a number.
    WOLFF_CODE_NOT_FINITE = 2,
    // A number is not a value of the enumeration.
    WOLFF_CODE_UNKNOWN_CHOICE = 3,
    // A text is not UTF-8, or a name is used already.
    WOLFF_CODE_BAD_TEXT = 4,
    // An array has an invalid length.
    WOLFF_CODE_BAD_COUNT = 5,
    // A required input or a previous call is missing.
    WOLFF_CODE_MISSING = 6,
    // A file cannot be read.
    WOLFF_CODE_FILE = 7,
    // A surface is invalid.
    WOLFF_CODE_GEOMETRY = 8,
    // A material, an option, a grid or a layer is invalid.
    WOLFF_CODE_CONTACT = 9,
    // Internal error of the library. Free the handle and please report the message.
    WOLFF_CODE_INTERNAL = 10,
} WolffCode;

// Normals of a surface of triangles.
typedef enum {
    // Normals of the flat triangles.
    WOLFF_NORMALS_FACETS = 0,
    // Mean normals at the vertices, interpolated; for meshes of smooth surfaces.
    WOLFF_NORMALS_SMOOTH = 1,
} WolffNormals;

// Measure of the overlap at an element.
typedef enum {
    // To the nearest point of the moving surface.
    WOLFF_DISTANCE_MINIMUM = 0,
    // Along the normal of the element.
    WOLFF_DISTANCE_RAY = 1,
} WolffDistance;

// Direction of the strain of the layer and of the pressure.
typedef enum {
    // The bisector of both normals.
    WOLFF_ALONG_MIDSURFACE = 0,
    // The normal of the fixed surface.
    WOLFF_ALONG_FIXED_NORMAL = 1,
    // The normal of the moving surface; with the minimum distance the force is the gradient of the stored energy.
    WOLFF_ALONG_MOVING_NORMAL = 2,
} WolffAlong;

// Integration of the pressure over an element.
typedef enum {
    // Integrated over the part of the element that is in contact.
    WOLFF_RULE_ADAPTIVE = 0,
    // Pressure at the centre times the area.
    WOLFF_RULE_CENTRE = 1,
} WolffRule;

// Strain x of a layer of thickness h at overlap d.
typedef enum {
    // x = d/h.
    WOLFF_STRAIN_SMALL = 0,
    // x = -ln(1 - d/h).
    WOLFF_STRAIN_LARGE = 1,
} WolffStrain;

// Interpretation of the three parameters of the nonlinear law.
typedef enum {
    // Tangent modulus in place of Young's modulus.
    WOLFF_READING_TANGENT = 0,
    // Secant modulus in place of Young's modulus.
    WOLFF_READING_SECANT = 1,
    // The law itself, without the factor of lateral confinement.
    WOLFF_READING_UNIAXIAL = 2,
} WolffReading;

// The body that carries a layer.
typedef enum {
    // The body with the elements.
    WOLFF_BODY_FIXED = 0,
    // The other body.
    WOLFF_BODY_MOVING = 1,
} WolffBody;

// Shape on which a grid is defined; rays along the normals of this shape determine the elements on the fixed surface.
typedef enum {
    // Coordinates [m] along `along` and `normal` x `along`; rays along `normal`.
    WOLFF_GRID_SHAPE_PLANE = 0,
    // Angle [rad] from `along` about `normal`, distance along `normal` [m]; rays outwards from `radius`.
    WOLFF_GRID_SHAPE_CYLINDER = 1,
    // Two angles [rad] from `normal` towards `along` and `normal` x `along`; rays outwards from `radius`.
    WOLFF_GRID_SHAPE_SPHERE = 2,
} WolffGridShape;

// Source of the thickness of the fixed layer.
typedef enum {
    // Constant.
    WOLFF_LAYER_KIND_CONSTANT = 0,
    // The distance from the shape of the grid to the fixed surface.
    WOLFF_LAYER_KIND_TO_ELEMENT_SURFACE = 1,
    // The distance from the fixed surface, along its inward normal, to a surface behind it.
    WOLFF_LAYER_KIND_TO_BACK = 2,
} WolffLayerKind;

// The parts of a contact: collected first, then built. Created by `wolff_builder_new`, freed by `wolff_builder_free`.
typedef struct WolffBuilder WolffBuilder;

// A contact and its state at the last pose. It must be used by one thread at a time; `wolff_contact_clone` creates
// another one for another thread. Created by `wolff_contact_build`, freed by `wolff_contact_free`.
typedef struct WolffContact WolffContact;

// A surface with an outer side; can be used in several contacts. Created by `wolff_surface_...`, freed by
// `wolff_surface_free`.
typedef struct WolffSurface WolffSurface;

// A rectangular grid on a plane, a cylinder or a sphere, projected along its normals onto the fixed surface. Fixed
// frame.
//
// Elements are omitted if the ray of a corner, of the middle of a side or of the centre misses the surface.
typedef struct {
    // One of `WolffGridShape`.
    int32_t shape;
    // Origin of the plane, a point of the axis of the cylinder, centre of the sphere [m].
    double origin[3];
    // Normal of the plane, axis of the cylinder, middle of the grid on the sphere; any length.
    double normal[3];
    // Direction of the first coordinate (plane, sphere) or of the angle zero (cylinder); any length.
    double along[3];
    // Radius of cylinder and sphere [m]; not used by the plane.
    double radius;
    // Range of the first coordinate [m or rad].
    double first[2];
    // Range of the second coordinate [m or rad].
    double second[2];
    // Elements along the first and the second coordinate.
    size_t counts[2];
    // Range along the rays in which the surface is searched [m]: from, to; negative values are behind the shape.
    double range[2];
} WolffGrid;

// Thickness of the fixed layer.
typedef struct {
    // One of `WolffLayerKind`.
    int32_t kind;
    // Thickness [m], if it is constant.
    double thickness;
    // Surface behind the layer, if the thickness is the distance to it.
    const WolffSurface *back;
    // Maximum distance to the surface behind [m].
    double reach;
} WolffLayer;

// Contact at one pose. Vectors have fixed axes.
typedef struct {
    // Force on the moving body [N].
    double force_on_moving[3];
    // Moment on the moving body about the fixed origin [N m].
    double torque_on_moving[3];
    // Moment on the moving body about its own origin [N m].
    double torque_at_moving_origin[3];
    // Force on the fixed body [N].
    double force_on_fixed[3];
    // Moment on the fixed body about the fixed origin [N m].
    double torque_on_fixed[3];
    // Generalised forces on the moving body: their product with u is the power of the contact on it [N, N m].
    double generalized_force[6];
    // Sum of the normal forces without regard to their directions [N].
    double normal_force;
    // Area in contact [m^2].
    double area;
    // Largest pressure [Pa].
    double peak_pressure;
    // Normal force over area [Pa]; zero without contact.
    double mean_pressure;
    // Centre of pressure in the fixed frame [m]; zero without contact.
    double centre_of_pressure[3];
    // Deepest overlap over thickness [-].
    double peak_strain;
    // Energy stored in the layer [J].
    double energy;
    // Elements in contact; zero means no contact.
    size_t active_elements;
    // Distance queries made.
    size_t queries;
    // 1 if this is the result of a pose within the reuse distance, otherwise 0.
    int32_t reused;
    // 1 if an overlap is beyond the range of layer or material, so that the forces are invalid; otherwise 0.
    int32_t layer_used_up;
} WolffContactResult;

// Contact of one compartment. Vectors have fixed axes.
typedef struct {
    // Force on the moving body [N].
    double force_on_moving[3];
    // Moment on the moving body about the fixed origin [N m].
    double torque_on_moving[3];
    // Sum of the normal forces without regard to their directions [N].
    double normal_force;
    // Area in contact [m^2].
    double area;
    // Largest pressure [Pa].
    double peak_pressure;
    // Normal force over area [Pa]; zero without contact.
    double mean_pressure;
    // Centre of pressure in the fixed frame [m]; zero without contact.
    double centre_of_pressure[3];
    // Deepest overlap over thickness [-].
    double peak_strain;
    // Elements in contact; zero means no contact.
    size_t active_elements;
    // Distance queries made.
    size_t queries;
} WolffPatch;

// An element of the fixed surface, for pressure maps. Fixed frame.
typedef struct {
    // Centre [m].
    double centre[3];
    // Outward unit normal at the centre.
    double normal[3];
    // Corners around the element [m]; the fourth of a triangle is its first again.
    double corners[4][3];
    // 4, or 3 for a triangle.
    uint32_t corner_count;
    // Number of its compartment, from 0.
    uint32_t compartment;
    // Number in its grid (row by row, second coordinate fastest) or list of triangles, from 0.
    uint32_t source;
    // Area [m^2].
    double area;
    // Thickness of the layer [m].
    double thickness;
} WolffElement;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Version of the library, such as "0.1.0".
const char *wolff_version(void);

// Message of the last failed call of this thread, UTF-8; empty before the first failure. Valid until the next failure
// in this thread.
const char *wolff_last_error(void);

// A surface of triangles.
//
// `vertices`: x, y, z [m] of each of the `vertex_count` vertices. `triangles`: three numbers of vertices, from 0, for
// each of the `triangle_count` triangles, counter-clockwise seen from outside the material. `normals`: one of
// `WolffNormals`. The arrays are copied.
WolffCode wolff_surface_triangles(const double *vertices,
                                  size_t vertex_count,
                                  const uint32_t *triangles,
                                  size_t triangle_count,
                                  int32_t normals,
                                  WolffSurface **surface);

// A surface from a file.
//
// `path`: triangles in `.stl`, `.obj`, `.vtp` (also packed, `.gz`), or NURBS surfaces in `.json`. Coordinates times
// `scale` are metres: 0.001 for a file in mm. `normals`: one of `WolffNormals`, for triangles.
WolffCode wolff_surface_file(const char *path, double scale, int32_t normals, WolffSurface **surface);

// A sphere: `centre` x, y, z [m] and `radius` [m], with the material inside.
WolffCode wolff_surface_sphere(const double *centre, double radius, WolffSurface **surface);

// An infinite plane through `origin` x, y, z [m]; the material is on the side opposite to `normal` (three numbers, any
// length).
WolffCode wolff_surface_plane(const double *origin, const double *normal, WolffSurface **surface);

// Frees a surface; builders and contacts created with it remain valid. NULL has no effect.
WolffCode wolff_surface_free(WolffSurface *surface);

// Begins a contact of a `moving` surface over a `fixed` one, each in the frame of its body. The fixed one carries the
// elements.
WolffCode wolff_builder_new(const WolffSurface *moving, const WolffSurface *fixed, WolffBuilder **builder);

// Frees a builder; contacts built with it remain valid. NULL has no effect.
WolffCode wolff_builder_free(WolffBuilder *builder);

// Adds a compartment: the elements of a grid projected onto the fixed surface. `name` must be unique. Can be called
// repeatedly.
WolffCode wolff_builder_add_grid(WolffBuilder *builder,
                                 const char *name,
                                 const WolffGrid *grid,
                                 const WolffLayer *layer);

// Adds a compartment: the triangles of the fixed surface as elements. `name` must be unique.
WolffCode wolff_builder_add_triangles(WolffBuilder *builder, const char *name, const WolffLayer *layer);

// Linear material p = E c x, c = (1 - nu)/((1 + nu)(1 - 2 nu)), of the layer on `body` (one of `WolffBody`).
//
// `youngs_modulus` E [Pa], `poissons_ratio` nu below 1/2, `strain` x: one of `WolffStrain`. The fixed body requires a
// material. If the moving body has no material, that of the fixed body is used; only its stiffness at zero strain
// matters.
WolffCode wolff_builder_set_linear(WolffBuilder *builder,
                                   int32_t body,
                                   double youngs_modulus,
                                   double poissons_ratio,
                                   int32_t strain);

// Nonlinear material strain = strain0/2 (p/stress0 + (p/stress0)^exponent) of the layer on `body` (one of
// `WolffBody`).
//
// `strain0` [-], `stress0` [Pa], `exponent` one or more, `poissons_ratio` below 1/2, `reading`: one of `WolffReading`,
// `strain`: one of `WolffStrain`.
WolffCode wolff_builder_set_nonlinear(WolffBuilder *builder,
                                      int32_t body,
                                      double strain0,
                                      double stress0,
                                      double exponent,
                                      double poissons_ratio,
                                      int32_t reading,
                                      int32_t strain);

// Damping a [s/m]: the pressure is multiplied by 1 + a d', not below zero; d' is the rate of the overlap [m/s].
// Default: zero.
WolffCode wolff_builder_set_damping(WolffBuilder *builder, double damping);

// Measure of the overlap, direction and integration: one of `WolffDistance`, of `WolffAlong`, of `WolffRule`.
// Default: the first value of each.
WolffCode wolff_builder_set_method(WolffBuilder *builder, int32_t distance, int32_t along, int32_t rule);

// Friction with static and dynamic coefficients and the velocities [m/s] at which stiction ends and sliding begins.
// Default: no friction.
WolffCode wolff_builder_set_friction(WolffBuilder *builder,
                                     double static_coefficient,
                                     double dynamic_coefficient,
                                     double stiction_velocity,
                                     double friction_velocity);

// The last result is reused if no element has moved more than this distance relative to the moving body [m].
// Default: zero.
WolffCode wolff_builder_set_reuse_within(WolffBuilder *builder, double distance);

// Thickness of a layer on the moving body [m], constant. Default: zero (a rigid body).
WolffCode wolff_builder_set_moving_layer(WolffBuilder *builder, double thickness);

// Thickness of the layer on the moving body over the parameters of a NURBS surface of it, bilinear between samples and
// constant beyond them.
//
// `surface`: number of the surface in its file or array, from 0; can be called once for each. Those without a map are
// rigid. `u`, `v`: two numbers each, the ranges of the parameters. `counts`: two numbers of samples, ends included.
// `values`: counts[0] times counts[1] thicknesses [m], v fastest.
WolffCode wolff_builder_set_moving_layer_map(WolffBuilder *builder,
                                             size_t surface,
                                             const double *u,
                                             const double *v,
                                             const size_t *counts,
                                             const double *values);

// Thickness of the layer on the moving body: the distance from the moving surface, along its inward normal, to a
// surface `back` in the frame of the moving body, up to `reach` [m]. Where it is less than `least` [m] or nothing is
// behind, the layer is `least` thick.
//
// The moving surface must consist of triangles (sampled at their corners) or NURBS patches (sampled at `samples` times
// `samples` points each). `without`: part of the samples that have nothing behind them; may be NULL.
WolffCode wolff_builder_set_moving_layer_back(WolffBuilder *builder,
                                              const WolffSurface *back,
                                              double reach,
                                              double least,
                                              size_t samples,
                                              double *without);

// Minimum number of elements for which an evaluation uses all processors; results do not depend on it. Default: 4000.
WolffCode wolff_builder_set_threads_from(WolffBuilder *builder, size_t elements);

// Builds the contact. The builder remains valid: it can be changed for another contact, or freed.
WolffCode wolff_contact_build(const WolffBuilder *builder, WolffContact **contact);

// A second handle of the same contact with its own state, for another thread. Surfaces and elements are shared, not
// copied.
WolffCode wolff_contact_clone(const WolffContact *contact, WolffContact **copy);

// Frees a contact. NULL has no effect.
WolffCode wolff_contact_free(WolffContact *contact);

// Forces and measures at a pose.
//
// `q`: six numbers, the position x, y, z [m] of the moving origin in the fixed frame and three angles [rad],
// body-three 1-2-3: the moving body turns about its own x, then its own new y, then its own new z axis, R = R1(q4)
// R2(q5) R3(q6). `u`: their six time derivatives.
WolffCode wolff_contact_evaluate(WolffContact *contact, const double *q, const double *u, WolffContactResult *result);

// Derivatives of the force [N] and the moment about the fixed origin [N m] on the moving body.
//
// `by_q` and `by_u`: 36 numbers each, entry [6 i + j] is the derivative of force_on_moving[i] (i below 3) or
// torque_on_moving[i - 3] by q[j] at constant u, and by u[j] at constant q. After `wolff_contact_evaluate` at the same
// q and u no new distances are computed. They are exact where the moving surface has constant curvature, otherwise to
// the order of (element size)^2.
WolffCode wolff_contact_derivatives(WolffContact *contact,
                                    const double *q,
                                    const double *u,
                                    double *by_q,
                                    double *by_u);

// Number of compartments.
WolffCode wolff_contact_compartment_count(const WolffContact *contact, size_t *count);

// Name of the compartment number `index`, from 0; valid until the contact is freed.
WolffCode wolff_contact_compartment_name(const WolffContact *contact, size_t index, const char **name);

// The compartments at the last pose evaluated: `count` must be their number.
WolffCode wolff_contact_compartments(WolffContact *contact, WolffPatch *patches, size_t count);

// Number of elements.
WolffCode wolff_contact_element_count(const WolffContact *contact, size_t *count);

// Mean pressure [Pa] of each element at the last pose evaluated: `count` must be the number of elements.
WolffCode wolff_contact_pressures(WolffContact *contact, double *pressures, size_t count);

// Position, corners, area and thickness of each element: `count` must be the number of elements.
WolffCode wolff_contact_element_geometry(const WolffContact *contact, WolffElement *elements, size_t count);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* WOLFF_H */
