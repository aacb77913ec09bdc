import { MAP_HEIGHT, MAP_WIDTH, type Projection, fitAlbers, lineOf, pathOf } from './albers.ts'
import { pathBetween } from './great-circle.ts'
import type { Airport, Route } from './sources.ts'
import type { Shape } from './us-geometry.ts'

/** Census numbers of areas outside the 48 contiguous states. */
const OUTLYING = new Set([2, 15, 72, 78])

/** Shapes of the 48 contiguous states, or of their counties. */
export const contiguous = (shapes: readonly Shape[]): readonly Shape[] =>
  shapes.filter((shape) => !OUTLYING.has(shape.id > 999 ? Math.floor(shape.id / 1000) : shape.id))

/** The map projection that fits the 48 contiguous states. */
export const contiguousProjection = (states: readonly Shape[]): Projection =>
  fitAlbers(
    contiguous(states).flatMap((shape) => shape.rings),
    -96,
  )

/** Draws every route from one airport as a great circle: brighter means more flights in 2008. */
export function drawRouteMap(from: Airport, routes: readonly Route[], states: readonly Shape[]): string {
  const project = contiguousProjection(states)
  const own = routes.filter((route) => route.from.code === from.code).toSorted((a, b) => a.flights - b.flights)
  const most = own.at(-1)?.flights ?? 1
  const [x, y] = project([from.longitude, from.latitude])

  return `<svg xmlns="http://www.w3.org/2000/svg" width="${MAP_WIDTH}" height="${MAP_HEIGHT}">
<rect width="100%" height="100%" fill="#100f0d"/>
<path d="${contiguous(states)
    .map((shape) => pathOf(shape.rings, project))
    .join('')}" fill="#1e1c19" stroke="#3d3931" stroke-width="1.5" stroke-linejoin="round"/>
<g fill="none" stroke-linecap="round">${own.map((route) => arc(route, most, project)).join('')}</g>
${own.map((route) => end(route.to, project)).join('')}
<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="22" fill="#e6b85c" fill-opacity="0.25"/>
<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="9" fill="#e6b85c"/>
</svg>`
}

function arc({ from, to, flights }: Route, most: number, project: Projection): string {
  const share = Math.sqrt(flights / most)
  const way = pathBetween(from, to, 48).map(({ longitude, latitude }) => [longitude, latitude] as const)
  return `<path d="${lineOf(way, project)}" stroke="#7ccbb4" stroke-width="${(1 + 3.5 * share).toFixed(2)}" stroke-opacity="${(0.25 + 0.65 * share).toFixed(2)}"/>`
}

function end(airport: Airport, project: Projection): string {
  const [x, y] = project([airport.longitude, airport.latitude])
  return `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="4" fill="#ece8df"/>`
}
