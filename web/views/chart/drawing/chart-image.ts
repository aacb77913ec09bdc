/** Pixels of the image per pixel of the page. */
const SCALE = 2
const PAD_PX = 24
const TITLE_PX = 36
const ROW_PX = 28
const CELL_PAD_PX = 10

type LegendEntry = { readonly label: string; readonly color: string }

type ChartImage = { readonly title: string; readonly legend: readonly LegendEntry[] }

/** Draws a chart as a PNG image, in the colors of the page. */
export async function chartImage(svg: SVGSVGElement, { title, legend }: ChartImage): Promise<Blob> {
  const { width, height } = svg.getBoundingClientRect()
  const legendRows = legend.length === 0 ? 0 : Math.ceil(legend.length / LEGEND_COLUMNS)
  const topPx = PAD_PX + TITLE_PX + legendRows * ROW_PX
  const page = openPage(Math.max(width, MIN_WIDTH_PX) + 2 * PAD_PX, topPx + height + PAD_PX, title, svg)
  legend.forEach(({ label, color }, at) => {
    const columnPx = (page.widthPx - 2 * PAD_PX) / LEGEND_COLUMNS
    const x = PAD_PX + (at % LEGEND_COLUMNS) * columnPx
    const y = PAD_PX + TITLE_PX + Math.floor(at / LEGEND_COLUMNS) * ROW_PX
    page.context.fillStyle = resolved(color, svg)
    page.context.fillRect(x, y, 10, 10)
    page.context.fillStyle = page.ink
    page.context.font = `13px ${page.fontFamily}`
    page.context.fillText(label, x + 18, y + 10, columnPx - 26)
  })
  drawSvg(page.context, svg, (page.widthPx - width) / 2, topPx)
  return page.finish()
}

const LEGEND_COLUMNS = 3
const MIN_WIDTH_PX = 320

/** Draws a table as a PNG image. */
export async function tableImage(
  rows: readonly (readonly string[])[],
  { title, at }: { readonly title: string; readonly at: Element },
): Promise<Blob> {
  const measure = document.createElement('canvas').getContext('2d')
  if (!measure) throw new Error('no canvas')
  measure.font = `13px ${getComputedStyle(at).fontFamily}`
  const columns = rows[0]?.map((_, column) =>
    Math.ceil(Math.max(...rows.map((row) => measure.measureText(row[column] ?? '').width)) + 2 * CELL_PAD_PX),
  )
  const widthPx = (columns ?? []).reduce((all, one) => all + one, 0)
  const page = openPage(
    Math.max(widthPx, MIN_WIDTH_PX) + 2 * PAD_PX,
    TITLE_PX + rows.length * ROW_PX + 2 * PAD_PX,
    title,
    at,
  )
  rows.forEach((row, line) => {
    const y = PAD_PX + TITLE_PX + line * ROW_PX
    let x = PAD_PX
    row.forEach((text, column) => {
      const columnPx = columns?.[column] ?? 0
      page.context.font = `${line === 0 || column === 0 ? '500 ' : ''}13px ${page.fontFamily}`
      page.context.fillStyle = page.ink
      page.context.textAlign = column === 0 ? 'left' : 'right'
      page.context.fillText(text, column === 0 ? x + CELL_PAD_PX : x + columnPx - CELL_PAD_PX, y + 18)
      x += columnPx
    })
    page.context.fillStyle = page.hairline
    page.context.fillRect(PAD_PX, y + ROW_PX - 1, widthPx, 1)
  })
  return page.finish()
}

function openPage(widthPx: number, heightPx: number, title: string, at: Element) {
  const canvas = document.createElement('canvas')
  canvas.width = Math.ceil(widthPx * SCALE)
  canvas.height = Math.ceil(heightPx * SCALE)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas')
  context.scale(SCALE, SCALE)
  const [surface, ink, hairline] = ['--surface', '--ink', '--hairline'].map((token) => resolved(`var(${token})`, at))
  context.fillStyle = surface ?? ''
  context.fillRect(0, 0, widthPx, heightPx)
  context.fillStyle = ink ?? ''
  const { fontFamily } = getComputedStyle(at)
  context.font = `600 15px ${fontFamily}`
  context.fillText(title, PAD_PX, PAD_PX + 15, widthPx - 2 * PAD_PX)
  const finish = () =>
    new Promise<Blob>((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no image'))), 'image/png')
    })
  return { context, widthPx, fontFamily, ink: ink ?? '', hairline: hairline ?? '', finish }
}

/** The color that a CSS value has at an element. */
function resolved(color: string, at: Element): string {
  const probe = document.createElement('span')
  probe.style.color = color
  at.parentElement?.append(probe)
  const value = getComputedStyle(probe).color
  probe.remove()
  return value
}

/** Draws the shapes and texts of an SVG; unlike an image of it, with the fonts of the page. */
function drawSvg(context: CanvasRenderingContext2D, svg: SVGSVGElement, leftPx: number, topPx: number): void {
  for (const shape of svg.querySelectorAll<SVGGraphicsElement>('rect, path, line, circle, text')) {
    if (shape.classList.contains('chart-active')) continue
    const style = getComputedStyle(shape)
    const { a = 1, b = 0, c = 0, d = 1, e = 0, f = 0 } = shape.getCTM() ?? {}
    context.save()
    context.translate(leftPx, topPx)
    context.transform(a, b, c, d, e, f)
    context.globalAlpha = Number(style.opacity)
    if (shape instanceof SVGTextElement) drawText(context, shape, style)
    else drawShape(context, pathOf(shape), style)
    context.restore()
  }
}

function drawText(context: CanvasRenderingContext2D, text: SVGTextElement, style: CSSStyleDeclaration): void {
  const anchors: { readonly [anchor: string]: CanvasTextAlign } = { middle: 'center', end: 'right' }
  context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
  context.fillStyle = style.fill
  context.textAlign = anchors[style.textAnchor] ?? 'left'
  context.fillText(text.textContent ?? '', numberOf(text, 'x'), numberOf(text, 'y'))
}

function drawShape(context: CanvasRenderingContext2D, path: Path2D, style: CSSStyleDeclaration): void {
  if (style.fill !== 'none') {
    context.globalAlpha *= Number(style.fillOpacity)
    context.fillStyle = style.fill
    context.fill(path)
    context.globalAlpha /= Number(style.fillOpacity) || 1
  }
  if (style.stroke === 'none') return
  context.strokeStyle = style.stroke
  context.lineWidth = Number.parseFloat(style.strokeWidth)
  context.stroke(path)
}

const numberOf = (shape: Element, attribute: string): number => Number(shape.getAttribute(attribute) ?? 0)

function pathOf(shape: SVGGraphicsElement): Path2D {
  const of = (attribute: string) => numberOf(shape, attribute)
  if (shape instanceof SVGPathElement) return new Path2D(shape.getAttribute('d') ?? '')
  const path = new Path2D()
  if (shape instanceof SVGRectElement) path.roundRect(of('x'), of('y'), of('width'), of('height'), of('rx'))
  if (shape instanceof SVGCircleElement) path.arc(of('cx'), of('cy'), of('r'), 0, 2 * Math.PI)
  if (shape instanceof SVGLineElement) {
    path.moveTo(of('x1'), of('y1'))
    path.lineTo(of('x2'), of('y2'))
  }
  return path
}
