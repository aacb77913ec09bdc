import type { BenchResult, Cell, Column, Row } from './result.ts'

/** Title of a chart, and the result row that it plots. */
type Picture = { readonly title: string; readonly what: string; readonly clients: number }

const PICTURES: readonly Picture[] = [
  { title: 'Read one record', what: 'Read one record', clients: 1 },
  { title: 'Page of 50', what: 'Page of 50, without count', clients: 1 },
  { title: 'Sorted by a number', what: 'Page of 50, sorted by number', clients: 1 },
  { title: 'Sorted by a text', what: 'Page of 50, sorted by text', clients: 1 },
  { title: 'Filter, sort, exact count', what: 'Filter (2.5 %), sorted by date, exact count', clients: 1 },
  { title: 'Search, exact count', what: 'Full-text search (1 %), 50 hits, exact count', clients: 1 },
  { title: 'Any page up to the last', what: 'Random page of 50, up to the last', clients: 1 },
  { title: 'The same, sorted', what: 'Random page of 50, sorted by number', clients: 1 },
  { title: 'Groups, unchanged', what: 'Group by select, count and sum, cached', clients: 1 },
  { title: 'Groups after a change', what: 'Group by select, after each change', clients: 1 },
  { title: 'Create, durable', what: 'Create, durable', clients: 1 },
  { title: 'Update, durable', what: 'Update, durable', clients: 1 },
]

/** Dashes and markers distinguish the lines without color. */
const LINES: readonly { readonly column: Column; readonly name: string; readonly dashes: string }[] = [
  { column: 'sqlite', name: 'Dossier on SQLite', dashes: '' },
  { column: 'postgres', name: 'Dossier on PostgreSQL', dashes: '7 3' },
  { column: 'floor', name: 'bare Node and SQLite, no rules', dashes: '2 3' },
]

const SMALL = { width: 220, height: 168, left: 44, right: 12, top: 30, bottom: 26 }
const IN_A_ROW = 4
const MARGIN = 16
const HEAD = 64

/** Logarithmic axes: 0.01 ms to 10 s, and ten thousand to a million records. */
const MIN_MS = 0.01
const MAX_MS = 10_000
const TICKS_MS = [0.01, 0.1, 1, 10, 100, 1000, 10_000]

const STYLE = `
  .sheet { fill: #ffffff } .ink { fill: #1f2328 } .soft { fill: #59636e } .rule { stroke: #d1d9e0 }
  .sqlite { stroke: #0b5fb0; fill: #0b5fb0 } .postgres { stroke: #a33b00; fill: #a33b00 } .floor { stroke: #59636e; fill: #59636e }
  @media (prefers-color-scheme: dark) {
    .sheet { fill: #0d1117 } .ink { fill: #f0f6fc } .soft { fill: #9198a1 } .rule { stroke: #3d444d }
    .sqlite { stroke: #6cb6ff; fill: #6cb6ff } .postgres { stroke: #f69d50; fill: #f69d50 } .floor { stroke: #9198a1; fill: #9198a1 }
  }
  text { font: 11px system-ui, sans-serif } .title { font-weight: 600; font-size: 12px } .head { font-weight: 600; font-size: 15px }`

/** 95th percentile by number of records. */
type Point = { readonly size: number; readonly ms: number }

/** Draws one chart per metric, plotted by number of records. */
export function growthSvg(results: readonly BenchResult[]): string {
  const sizes = [...new Set(results.map(({ size }) => size))].toSorted((left, right) => left - right)
  const rows = Math.ceil(PICTURES.length / IN_A_ROW)
  const width = 2 * MARGIN + IN_A_ROW * SMALL.width
  const height = HEAD + rows * SMALL.height + MARGIN
  const pictures = PICTURES.map((picture, at) => {
    const [x, y] = [MARGIN + (at % IN_A_ROW) * SMALL.width, HEAD + Math.floor(at / IN_A_ROW) * SMALL.height]
    return `<g transform="translate(${x} ${y})">\n${drawPicture(picture, results, sizes)}\n</g>`
  })
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="t d">`,
    '<title id="t">How the time of an answer grows with the number of records</title>',
    `<desc id="d">${describe(results)}</desc>`,
    `<style>${STYLE}\n</style>`,
    `<rect class="sheet" width="${width}" height="${height}" rx="6"/>`,
    `<text class="ink head" x="${MARGIN}" y="26">p95 in ms, one client, by the number of records; each line of the grid is tenfold</text>`,
    ...LINES.filter(({ column }) => isMeasured(results, column)).map(drawKey),
    ...pictures,
    '</svg>',
  ]
  return `${parts.join('\n')}\n`
}

const isMeasured = (results: readonly BenchResult[], column: Column): boolean =>
  results.some(({ rows }) => rows.some(({ cells }) => column in cells))

function drawKey({ column, name, dashes }: (typeof LINES)[number], at: number): string {
  const x = MARGIN + at * 200
  return `${stroke(column, dashes, `M${x} 44h28`)}${mark(column, x + 14, 44)}<text class="ink" x="${x + 36}" y="48">${name}</text>`
}

function drawPicture(
  { title, what, clients }: Picture,
  results: readonly BenchResult[],
  sizes: readonly number[],
): string {
  const { left, top } = SMALL
  const lines = LINES.map(({ column, dashes }) =>
    drawLine(pointsOf(results, { what, clients }, column), sizes, column, dashes),
  )
  const heading = `<text class="ink title" x="${left}" y="${top - 10}">${title}</text>`
  return [heading, ...TICKS_MS.map(drawTick), ...sizes.map((size) => drawSize(size, sizes)), ...lines].join('\n')
}

const across = (size: number, sizes: readonly number[]): number => {
  const [first = 1, last = 1] = [sizes[0], sizes.at(-1)]
  const share = first === last ? 0.5 : Math.log(size / first) / Math.log(last / first)
  return round(SMALL.left + 8 + share * (SMALL.width - SMALL.left - SMALL.right - 16))
}

const down = (ms: number): number => {
  const share = Math.log(Math.min(MAX_MS, Math.max(MIN_MS, ms)) / MIN_MS) / Math.log(MAX_MS / MIN_MS)
  return round(SMALL.height - SMALL.bottom - share * (SMALL.height - SMALL.top - SMALL.bottom))
}

const round = (pixels: number): number => Math.round(pixels * 10) / 10

function drawTick(ms: number): string {
  const y = down(ms)
  const rule = `<path class="rule" d="M${SMALL.left} ${y}H${SMALL.width - SMALL.right}"/>`
  return `${rule}<text class="soft" x="${SMALL.left - 6}" y="${y + 4}" text-anchor="end">${ms}</text>`
}

const inShort = (size: number): string => (size >= 1e6 ? `${size / 1e6} M` : `${size / 1000} k`)

const drawSize = (size: number, sizes: readonly number[]): string =>
  `<text class="soft" x="${across(size, sizes)}" y="${SMALL.height - 8}" text-anchor="middle">${inShort(size)}</text>`

function drawLine(points: readonly Point[], sizes: readonly number[], column: Column, dashes: string): string {
  if (points.length === 0) return ''
  const places = points.map(({ size, ms }) => [across(size, sizes), down(ms)] as const)
  const path = places.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${x} ${y}`).join('')
  return stroke(column, dashes, path) + places.map(([x, y]) => mark(column, x, y)).join('')
}

const stroke = (column: Column, dashes: string, path: string): string =>
  `<path class="${column}" d="${path}" style="fill:none" stroke-width="1.8"${dashes === '' ? '' : ` stroke-dasharray="${dashes}"`}/>`

function mark(column: Column, x: number, y: number): string {
  if (column === 'sqlite') return `<circle class="${column}" cx="${x}" cy="${y}" r="3"/>`
  if (column === 'postgres') return `<path class="${column}" d="M${x - 3} ${y - 3}h6v6h-6z"/>`
  return `<path class="${column}" d="M${x} ${y - 3.6}l3.6 6h-7.2z"/>`
}

type Which = { readonly what: string; readonly clients: number }

function pointsOf(results: readonly BenchResult[], which: Which, column: Column): Point[] {
  const points = results.flatMap(({ size, rows }) => {
    const ms = p95Of(rows.find((row) => isRow(row, which))?.cells[column])
    return ms === undefined ? [] : [{ size, ms }]
  })
  // If a record count was measured several times, the last run is used.
  return [...new Map(points.map((point) => [point.size, point])).values()].toSorted(
    (left, right) => left.size - right.size,
  )
}

const isRow = (row: Row, { what, clients }: Which): boolean => row.what === what && row.clients === clients

const p95Of = (cell: Cell | undefined): number | undefined => (cell && 'p95' in cell ? cell.p95 : undefined)

/** Chart data as text, for screen readers. */
function describe(results: readonly BenchResult[]): string {
  return PICTURES.map((picture) => {
    const lines = LINES.flatMap(({ column, name }) => {
      const points = pointsOf(results, picture, column)
      if (points.length === 0) return []
      return [`${name} ${points.map(({ size, ms }) => `${ms.toFixed(2)} ms at ${inShort(size)}`).join(', ')}`]
    })
    return `${picture.title}: ${lines.join('; ')}.`
  }).join(' ')
}
