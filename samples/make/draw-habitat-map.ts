import { MAP_HEIGHT, MAP_WIDTH, pathOf } from './albers.ts'
import type { CsvLine } from './csv-files.ts'
import { contiguous, contiguousProjection } from './draw-route-map.ts'
import type { Shape } from './us-geometry.ts'

const STEPS = ['#f3f0e9', '#dfe9dc', '#b9d6c3', '#87bba4', '#4f9680', '#2a7461', '#12473b'] as const

/** Draws the fraction of each county that is year-round habitat of an animal: darker means more. */
export function drawHabitatMap(
  lines: readonly CsvLine[],
  states: readonly Shape[],
  counties: readonly Shape[],
): string {
  const project = contiguousProjection(states)
  const shareByCounty = new Map(lines.map((line) => [Number(line['county_id']), Number(line['habitat_yearround_pct'])]))
  const filled = contiguous(counties).map((shape) => {
    const color = colorOf(shareByCounty.get(shape.id) ?? 0)
    return `<path d="${pathOf(shape.rings, project)}" fill="${color}" stroke="${color}" stroke-width="0.8"/>`
  })

  return `<svg xmlns="http://www.w3.org/2000/svg" width="${MAP_WIDTH}" height="${MAP_HEIGHT}">
<rect width="100%" height="100%" fill="#ffffff"/>
${filled.join('')}
<path d="${contiguous(states)
    .map((shape) => pathOf(shape.rings, project))
    .join('')}" fill="none" stroke="#8c8677" stroke-width="1.2" stroke-linejoin="round"/>
</svg>`
}

/** Habitat fractions range from 0 to 1. */
function colorOf(share: number): string {
  const step = Math.min(STEPS.length - 1, Math.ceil(share * (STEPS.length - 1)))
  return STEPS[step] ?? STEPS[0]
}
