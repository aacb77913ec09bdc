import { useElementSize } from '@mantine/hooks'
import { arc, pie } from 'd3-shape'
import { type ChartProps, ChartRoom, useActiveCategory } from './chart-parts.tsx'

type PieChartProps = ChartProps & { readonly isDonut: boolean; readonly total: string }

const MAX_RADIUS_PX = 140
const PAD_PX = 4

/** A circle with a list of its values next to it or, where there is no room, below. */
export function PieChart({ table, format, colors, label, onOpen, isDonut, total }: PieChartProps) {
  const { ref, width, height } = useElementSize()
  const active = useActiveCategory(table.categories.length, onOpen)
  const values = table.categories.map(({ value }) => Math.max(0, value ?? 0))
  const sum = values.reduce((all, value) => all + value, 0)
  const shareOf = (at: number): number => (sum === 0 ? 0 : (values[at] ?? 0) / sum)
  const size = Math.max(0, Math.min(width, height, MAX_RADIUS_PX * 2))
  const shown = active.active === null ? undefined : table.categories[active.active]
  const lineOf = (at: number) => `${format.value(table.categories[at]?.value ?? 0)} · ${format.share(shareOf(at))}`
  return (
    <div className="chart-pie">
      <div className="chart-pie-canvas" ref={ref}>
        <ChartRoom
          label={label}
          active={active}
          hint={
            shown
              ? {
                  xPx: width / 2,
                  yPx: 0,
                  text: `${shown.label}, ${lineOf(active.active ?? 0)}`,
                  content: (
                    <>
                      <strong>{shown.label}</strong>
                      <span>{lineOf(active.active ?? 0)}</span>
                    </>
                  ),
                }
              : null
          }
        >
          {size > 0 && (
            <Slices
              values={values}
              table={table}
              colors={colors}
              sizePx={size}
              total={isDonut ? total : undefined}
              active={active}
            />
          )}
        </ChartRoom>
      </div>
      <PieLegend table={table} format={format} colors={colors} shareOf={shareOf} active={active.active} />
    </div>
  )
}

type PieLegendProps = Omit<ChartProps, 'label' | 'onOpen'> & {
  readonly shareOf: (at: number) => number
  readonly active: number | null
}

const PieLegend = ({ table, format, colors, shareOf, active }: PieLegendProps) => (
  <ul className="chart-legend" data-list>
    {table.categories.map((category, at) => (
      <li key={category.key} data-active={at === active || undefined}>
        <span className="chart-swatch" style={{ background: colors[at] }} aria-hidden />
        <span className="chart-legend-label">{category.label}</span>
        <span className="chart-legend-value">{format.value(category.value ?? 0)}</span>
        <span className="chart-legend-share">{format.share(shareOf(at))}</span>
      </li>
    ))}
  </ul>
)

type SlicesProps = Pick<ChartProps, 'table' | 'colors'> & {
  readonly values: readonly number[]
  readonly sizePx: number
  /** Shown in the middle of a donut. */
  readonly total: string | undefined
  readonly active: ReturnType<typeof useActiveCategory>
}

const HOLE = 0.3

function Slices({ values, table, colors, sizePx, total, active }: SlicesProps) {
  const slices = pie<number>().sort(null)([...values])
  const draw = arc<(typeof slices)[number]>()
    .innerRadius(total === undefined ? 0 : sizePx * HOLE)
    .outerRadius(sizePx / 2 - PAD_PX)
  return (
    <svg width={sizePx} height={sizePx} aria-hidden>
      <g transform={`translate(${sizePx / 2} ${sizePx / 2})`}>
        {slices.map((slice, at) => (
          <path
            key={table.categories[at]?.key}
            className="chart-slice"
            data-active={at === active.active || undefined}
            fill={colors[at]}
            d={draw(slice) ?? ''}
            onPointerEnter={({ pointerType }) => pointerType !== 'touch' && active.setActive(at)}
            onPointerDown={(event) => active.onPointerDown(event, at)}
            onClick={() => active.onClick(at)}
          />
        ))}
        {total !== undefined && (
          <text className="chart-total" textAnchor="middle" y={7}>
            {total}
          </text>
        )}
      </g>
    </svg>
  )
}
