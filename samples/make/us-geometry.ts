import { readJson } from './sources.ts'

/** Longitude and latitude, in degrees. */
export type LonLat = readonly [number, number]

/** Closed line; a shape consists of several rings, and the even-odd rule distinguishes land from holes. */
export type Ring = readonly LonLat[]

/** State or county on the census map; a county's ID starts with its state's ID. */
export type Shape = { readonly id: number; readonly rings: readonly Ring[] }

type Geometry =
  // This county is missing from the quantized map because it is too small.
  | { readonly type: null; readonly id: number }
  | { readonly type: 'Polygon'; readonly id: number; readonly arcs: readonly (readonly number[])[] }
  | { readonly type: 'MultiPolygon'; readonly id: number; readonly arcs: readonly (readonly (readonly number[])[])[] }

type Topology = {
  readonly transform: { readonly scale: LonLat; readonly translate: LonLat }
  readonly arcs: ReadonlyArray<readonly LonLat[]>
  readonly objects: Readonly<Record<'states' | 'counties', { readonly geometries: readonly Geometry[] }>>
}

/** States and counties on the census map (TopoJSON: shared borders are stored once, as quantized deltas). */
export function readUsShapes(): { readonly states: readonly Shape[]; readonly counties: readonly Shape[] } {
  const topology = readJson<Topology>('us-10m.json')
  const arcs = topology.arcs.map((arc) => decodeArc(arc, topology.transform))
  const shapesOf = (layer: 'states' | 'counties'): Shape[] =>
    topology.objects[layer].geometries.map((geometry) => ({
      id: geometry.id,
      rings: arcsOf(geometry).map((ring) => joinArcs(ring, arcs)),
    }))
  return { states: shapesOf('states'), counties: shapesOf('counties') }
}

function arcsOf(geometry: Geometry): readonly (readonly number[])[] {
  if (geometry.type === 'Polygon') return geometry.arcs
  return geometry.type === 'MultiPolygon' ? geometry.arcs.flat() : []
}

function decodeArc(steps: readonly LonLat[], { scale, translate }: Topology['transform']): Ring {
  let [x, y] = [0, 0]
  return steps.map(([dx, dy]) => {
    x += dx
    y += dy
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]]
  })
}

/** A negative number refers to a reversed arc: `~n`. */
function joinArcs(indexes: readonly number[], arcs: readonly Ring[]): Ring {
  return indexes.flatMap((index) => (index < 0 ? (arcs[~index] ?? []).toReversed() : (arcs[index] ?? [])))
}
