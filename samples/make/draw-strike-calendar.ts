import type { Strike } from './sources.ts'

const SIZE = 1200
const MIDDLE = SIZE / 2
const INNER_RADIUS = 110
const OUTER_RADIUS = 470
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const
const TIMES = [
  { name: 'Dawn', color: '#e6b85c' },
  { name: 'Day', color: '#7ccbb4' },
  { name: 'Dusk', color: '#c9694f' },
  { name: 'Night', color: '#2b3f5c' },
] as const

/** Draws strikes over the year: one wedge per month, stacked by time of day; areas are proportional to the counts. */
export function drawStrikeCalendar(strikes: readonly Strike[]): string {
  const byMonth = MONTHS.map((_, month) => strikes.filter((strike) => Number(strike.day.slice(5, 7)) === month + 1))
  const most = Math.max(...byMonth.map((own) => own.length))

  return `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${SIZE}">
<rect width="100%" height="100%" fill="#fbfaf7"/>
<circle cx="${MIDDLE}" cy="${MIDDLE}" r="${OUTER_RADIUS}" fill="none" stroke="#e6e2d9" stroke-width="2"/>
${byMonth.map((own, month) => wedge(own, month, most)).join('')}
${MONTHS.map(monthLabel).join('')}
${TIMES.map(({ name, color }, index) => `<rect x="44" y="${44 + index * 44}" width="26" height="26" rx="5" fill="${color}"/>${text(84, 66 + index * 44, name, 'start')}`).join('')}
</svg>`
}

function wedge(strikes: readonly Strike[], month: number, most: number): string {
  let upTo = 0
  return TIMES.map(({ name, color }) => {
    const from = radiusFor(upTo / most)
    upTo += strikes.filter((strike) => strike.line['Time of day'] === name).length
    return sector(month, from, radiusFor(upTo / most), color)
  }).join('')
}

/** The area, not the radius, is proportional to the count. */
const radiusFor = (share: number): number =>
  Math.sqrt(INNER_RADIUS ** 2 + share * (OUTER_RADIUS ** 2 - INNER_RADIUS ** 2))

function sector(month: number, from: number, to: number, color: string): string {
  if (to - from < 0.01) return ''
  const gap = 0.012
  const [start, end] = [month, month + 1].map((edge) => (edge / 12) * 2 * Math.PI)
  const at = (angle: number, radius: number): string =>
    `${(MIDDLE + radius * Math.sin(angle)).toFixed(1)} ${(MIDDLE - radius * Math.cos(angle)).toFixed(1)}`
  const [a, b] = [(start ?? 0) + gap, (end ?? 0) - gap]
  return `<path fill="${color}" d="M${at(a, from)}L${at(a, to)}A${to} ${to} 0 0 1 ${at(b, to)}L${at(b, from)}A${from} ${from} 0 0 0 ${at(a, from)}Z"/>`
}

function monthLabel(name: string, month: number): string {
  const angle = ((month + 0.5) / 12) * 2 * Math.PI
  const radius = OUTER_RADIUS + 48
  return text(MIDDLE + radius * Math.sin(angle), MIDDLE - radius * Math.cos(angle) + 10, name, 'middle')
}

const text = (x: number, y: number, words: string, anchor: 'start' | 'middle'): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" font-family="sans-serif" font-size="28" fill="#645f55" text-anchor="${anchor}">${words}</text>`
