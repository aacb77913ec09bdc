import { useElementSize } from '@mantine/hooks'
import { scaleBand, scaleLinear } from 'd3-scale'
import { area, line } from 'd3-shape'
import type { MouseEvent } from 'react'
import { t } from '#web/i18n/t.ts'
import { type ChartProps, ChartRoom, HintContent, useActiveCategory } from './chart-parts.tsx'
import {
  type ChartSpan,
  type ChartStacking,
  extentOf,
  fitLabel,
  labelStep,
  labelWidth,
  spansOf,
} from './chart-layout.ts'

type CartesianChartProps = ChartProps & {
  readonly kind: 'bar' | 'line' | 'area'
  readonly stacking: ChartStacking
  /** Dates are always on the horizontal axis. */
  readonly areDates: boolean
}

const AXIS_PX = 24
const TOP_PX = 12
const TICK_GAP_PX = 56
const MAX_TICKS = 6
/** Lowest height of a category with horizontal bars; if there is too little room for all, the chart scrolls. */
const MIN_ROW_PX = 20
/** Highest thickness of a horizontal bar and of an upright one. */
const MAX_ROW_BAR_PX = 26
const MAX_BAR_PX = 64
const VALUE_GAP_PX = 6

export function CartesianChart(props: CartesianChartProps) {
  const { ref, width, height } = useElementSize()
  return (
    <div className="chart-canvas" ref={ref}>
      {width > 0 && height > 0 && <Drawing {...props} widthPx={width} heightPx={height} />}
    </div>
  )
}

type DrawingProps = CartesianChartProps & { readonly widthPx: number; readonly heightPx: number }

function Drawing(props: DrawingProps) {
  const { table, label, onOpen } = props
  const plan = planOf(props)
  const active = useActiveCategory(table.categories.length, onOpen)
  const { isAcross, widthPx, heightPx, band } = plan
  const categoryAt = (event: MouseEvent<SVGSVGElement>): number | null => {
    const { left, top } = event.currentTarget.getBoundingClientRect()
    const along = isAcross ? event.clientY - top : event.clientX - left
    const at = Math.floor((along - (band.range()[0] ?? 0)) / band.step())
    return at >= 0 && at < table.categories.length ? at : null
  }
  const shown = active.active === null ? undefined : table.categories[active.active]
  const text = shown && hintOf(props, active.active ?? 0)
  const start = (shown && band(shown.key)) ?? 0
  const middle = start + band.bandwidth() / 2
  return (
    <ChartRoom
      label={label}
      active={active}
      hint={
        text === undefined
          ? null
          : {
              xPx: isAcross ? widthPx / 2 : Math.min(Math.max(middle, HINT_PX), widthPx - HINT_PX),
              yPx: isAcross ? middle : TOP_PX,
              content: <HintContent title={text.title} lines={text.lines} />,
              text: [text.title, ...text.lines.map((each) => `${each.label} ${each.value}`.trim())].join(', '),
            }
      }
    >
      <svg
        width={widthPx}
        height={heightPx}
        aria-hidden
        onPointerMove={(event) => active.setActive(categoryAt(event))}
        onPointerDown={(event) => active.onPointerDown(event, categoryAt(event))}
        onClick={(event) => active.onClick(categoryAt(event), seriesAt(event))}
      >
        <Axes {...props} plan={plan} />
        {shown && (
          <rect
            className="chart-active"
            {...(isAcross
              ? { x: 0, y: start, width: widthPx, height: band.bandwidth() }
              : { x: start, y: TOP_PX, width: band.bandwidth(), height: heightPx - AXIS_PX - TOP_PX })}
          />
        )}
        {props.kind === 'bar' ? <Bars {...props} plan={plan} /> : <Lines {...props} plan={plan} at={active.active} />}
      </svg>
    </ChartRoom>
  )
}

/** The series whose bar was clicked. */
function seriesAt({ target }: MouseEvent<SVGSVGElement>): number | undefined {
  const series = target instanceof SVGElement ? target.dataset['series'] : undefined
  return series === undefined ? undefined : Number(series)
}

/** Half the width that a hint needs. */
const HINT_PX = 90

type Plan = ReturnType<typeof planOf>

/** Labels of horizontal bars take at most this part of the width. */
const LABEL_SHARE = 0.4
const LABEL_PAD_PX = 10
/** Shorter labels say nothing. */
const MIN_LABEL_PX = 20

/** Scales and labels; bars are horizontal if their labels don't fit below vertical ones. */
function planOf(props: DrawingProps) {
  const { table, format, kind, stacking, areDates, widthPx, heightPx } = props
  const isSplit = table.series.length > 1
  const spans = spansOf(table, kind === 'line' || !isSplit ? 'grouped' : stacking)
  const keys = table.categories.map(({ key }) => key)
  const labels = table.categories.map(format.category)
  const longest = Math.max(0, ...labels.map(labelWidth))
  const isAcross = kind === 'bar' && !areDates && keys.length > 1 && longest > (widthPx / keys.length) * 0.9
  const axis = { ...valueAxis(props, spans), isAcross, labels, widthPx }
  return isAcross ? acrossPlan(axis, { keys, longest, heightPx }, props) : uprightPlan(axis, { keys, heightPx }, kind)
}

type Band = { readonly keys: readonly string[]; readonly heightPx: number }

type Axis = ReturnType<typeof valueAxis> & {
  readonly isAcross: boolean
  readonly labels: readonly string[]
  readonly widthPx: number
}

function valueAxis({ table, kind, stacking, format, widthPx, heightPx }: DrawingProps, spans: readonly ChartSpan[][]) {
  const isShare = kind !== 'line' && stacking === 'percent' && table.series.length > 1
  const scale = scaleLinear().domain(extentOf(spans))
  const ticks = Math.max(2, Math.min(MAX_TICKS, Math.floor(Math.min(widthPx, heightPx) / TICK_GAP_PX)))
  if (!isShare) scale.nice(ticks)
  const isWhole = !isShare && table.values.flat().every((value) => Number.isInteger(value ?? 0))
  const marks = scale.ticks(ticks).filter((tick) => !isWhole || Number.isInteger(tick))
  return { spans, scale, marks, tick: isShare ? format.share : format.tick }
}

function uprightPlan(axis: Axis, { keys, heightPx }: Band, kind: CartesianChartProps['kind']) {
  const { scale, marks, tick, widthPx } = axis
  const start = Math.max(0, ...marks.map((mark) => labelWidth(tick(mark)))) + LABEL_PAD_PX
  scale.range([heightPx - AXIS_PX, TOP_PX])
  const band = scaleBand(keys, [start, widthPx - VALUE_GAP_PX])
  const [inner, outer] = kind === 'bar' ? BAR_PADDING : [0, 0]
  return { ...axis, band: band.paddingInner(inner).paddingOuter(outer), start, heightPx }
}

const BAR_PADDING = [0.28, 0.14] as const

function acrossPlan(
  axis: Axis,
  { keys, longest, heightPx }: Band & { readonly longest: number },
  { table, stacking, format }: DrawingProps,
) {
  const { scale, widthPx } = axis
  const rowPx = Math.max(MIN_ROW_PX, (stacking === 'grouped' ? table.series.length : 1) * MIN_BAR_PX)
  const height = Math.max(heightPx, keys.length * rowPx + AXIS_PX)
  const start = Math.min(longest, widthPx * LABEL_SHARE) + LABEL_PAD_PX
  scale.range([start, widthPx - longestValue(table.values, format.value)])
  const [inner, outer] = BAR_PADDING
  const band = scaleBand(keys, [0, height - AXIS_PX])
    .paddingInner(inner)
    .paddingOuter(outer)
  return { ...axis, band, start, heightPx: height }
}

const MIN_BAR_PX = 12

const longestValue = (values: readonly (readonly (number | null)[])[], print: (value: number) => string): number =>
  values.length === 1 ? Math.max(0, ...values.flat().map((value) => labelWidth(print(value ?? 0)))) + VALUE_GAP_PX : 12

type PartProps = CartesianChartProps & { readonly plan: Plan }

function Axes({ table, plan }: PartProps) {
  const { isAcross, scale, marks, tick, band, labels, start, widthPx, heightPx } = plan
  const step = isAcross ? 1 : labelStep(labels, band.step())
  const bottom = heightPx - AXIS_PX
  const markGapPx = Math.abs(scale(marks[1] ?? 0) - scale(marks[0] ?? 0))
  const markStep = isAcross ? labelStep(marks.map(tick), markGapPx) : 1
  return (
    <>
      {marks.map((mark, at) => (
        <g key={mark}>
          <line
            className={mark === 0 ? 'chart-zero' : 'chart-grid'}
            {...(isAcross
              ? { x1: scale(mark), x2: scale(mark), y1: 0, y2: bottom }
              : { x1: start, x2: widthPx, y1: scale(mark), y2: scale(mark) })}
          />
          <text
            className="chart-tick"
            textAnchor={isAcross ? 'middle' : 'end'}
            x={isAcross ? scale(mark) : start - 8}
            y={isAcross ? bottom + 16 : scale(mark) + 4}
          >
            {at % markStep === 0 && tick(mark)}
          </text>
        </g>
      ))}
      {table.categories.map(({ key }, at) => {
        const middle = (band(key) ?? 0) + band.bandwidth() / 2
        if (at % step !== 0) return null
        const roomPx = isAcross ? start - LABEL_PAD_PX : Math.max(band.step() * step, MIN_LABEL_PX)
        const label = fitLabel(labels[at] ?? '', roomPx)
        // A label that would be cut off at the edge is left out, because moved it could touch the previous one.
        if (!isAcross && middle + labelWidth(label) / 2 > widthPx + VALUE_GAP_PX) return null
        const x = isAcross ? start - LABEL_PAD_PX : Math.min(middle, widthPx - labelWidth(label) / 2)
        return (
          <text
            key={key}
            className="chart-tick"
            textAnchor={isAcross ? 'end' : 'middle'}
            x={x}
            y={isAcross ? middle + 4 : bottom + 16}
          >
            {label}
          </text>
        )
      })}
    </>
  )
}

function Bars({ table, stacking, colors, plan, format }: PartProps) {
  const { spans, isAcross, band } = plan
  const isSingle = table.series.length === 1
  const parts = stacking === 'grouped' ? table.series.length : 1
  const widthPx = Math.min(band.bandwidth() / parts, isAcross ? MAX_ROW_BAR_PX : MAX_BAR_PX)
  const hasValues = isSingle && (isAcross || band.step() > WIDEST_VALUE_PX)
  const inset = (band.bandwidth() - widthPx * parts) / 2
  return spans.map((own, one) =>
    own.map((span, at) => {
      const category = table.categories[at]
      if (!span || !category || span[0] === span[1]) return null
      return (
        <Bar
          key={`${table.series[one]?.key} ${category.key}`}
          plan={plan}
          span={span}
          place={{ startPx: (band(category.key) ?? 0) + inset + (parts > 1 ? one * widthPx : 0), widthPx }}
          gapPx={isSingle || parts > 1 ? 0 : SEPARATOR_PX}
          color={colors[isSingle ? at : one]}
          value={hasValues ? format.value(table.values[one]?.[at] ?? 0) : undefined}
          series={isSingle ? undefined : one}
        />
      )
    }),
  )
}

type BarProps = {
  readonly plan: Plan
  readonly span: NonNullable<ChartSpan>
  readonly place: { readonly startPx: number; readonly widthPx: number }
  readonly gapPx: number
  readonly color: string | undefined
  readonly value: string | undefined
  readonly series: number | undefined
}

function Bar({ plan: { isAcross, scale }, span, place: { startPx, widthPx }, gapPx, color, value, series }: BarProps) {
  const [low, high] = [scale(Math.min(...span)), scale(Math.max(...span))]
  const long = Math.max(1, Math.abs(high - low) - gapPx)
  const middle = startPx + widthPx / 2
  return (
    <g>
      <rect
        className="chart-bar"
        data-series={series}
        rx={2}
        fill={color}
        {...(isAcross
          ? { x: low, y: startPx, width: long, height: widthPx }
          : { x: startPx, y: high, width: widthPx, height: long })}
      />
      {value !== undefined && (
        <text
          className="chart-value"
          {...(isAcross
            ? { textAnchor: 'start', x: Math.max(low, high) + VALUE_GAP_PX, y: middle + 4 }
            : { textAnchor: 'middle', x: middle, y: high - 4 })}
        >
          {value}
        </text>
      )}
    </g>
  )
}

/** Between the parts of a stack, so that colors aren't the only difference. */
const SEPARATOR_PX = 1
const WIDEST_VALUE_PX = 44

function Lines({ table, kind, colors, plan, at }: PartProps & { readonly at: number | null }) {
  const { spans, scale, band } = plan
  const x = (_: ChartSpan, index: number) => (band(table.categories[index]?.key ?? '') ?? 0) + band.bandwidth() / 2
  const draw = line<ChartSpan>(
    (span, index) => x(span, index),
    (span) => scale(span?.[1] ?? 0),
  ).defined((span) => span !== null)
  const fill = area<ChartSpan>()
    .x(x)
    .y0((span) => scale(span?.[0] ?? 0))
    .y1((span) => scale(span?.[1] ?? 0))
    .defined((span) => span !== null)
  const isSingle = table.series.length === 1
  return spans.map((row, one) => {
    const color = isSingle ? 'var(--chart-1)' : colors[one]
    const key = table.series[one]?.key ?? ''
    const points = row.flatMap((span, index) => {
      // A value without neighbors has no line.
      const isAlone = span !== null && (row[index - 1] ?? null) === null && (row[index + 1] ?? null) === null
      return span !== null && (index === at || isAlone) ? [{ index, span }] : []
    })
    return (
      <g key={key}>
        {kind === 'area' && <path className="chart-area" d={fill(row) ?? ''} fill={color} />}
        <path className="chart-line" d={draw(row) ?? ''} stroke={color} />
        {points.map(({ index, span }) => (
          <circle key={index} className="chart-point" r={4} cx={x(span, index)} cy={scale(span[1])} fill={color} />
        ))}
      </g>
    )
  })
}

function hintOf({ table, format, colors, kind }: CartesianChartProps, at: number) {
  const category = table.categories[at]
  const isSingle = table.series.length === 1
  const lines = table.series.map((one, index) => {
    const value = table.values[index]?.[at] ?? null
    return {
      key: one.key,
      label: one.label,
      value: value === null ? t('No value') : format.value(value),
      color: (isSingle && kind === 'bar' ? colors[at] : colors[index]) ?? '',
    }
  })
  return { title: category?.label ?? '', lines }
}
