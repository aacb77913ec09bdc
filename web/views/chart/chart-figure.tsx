import { ActionIcon, Menu } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useRef, useState } from 'react'
import type { ChartOptions } from '#domain/views/chart.ts'
import type { ChartKey, ChartData } from '#domain/views/chart-data.ts'
import { plural, t } from '#web/i18n/t.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { saveBlob } from '#web/ui/browser/download.ts'
import { CartesianChart } from '#web/views/chart/drawing/cartesian-chart.tsx'
import { chartImage, tableImage } from '#web/views/chart/drawing/chart-image.ts'
import { ChartLegend, chartColor, type ChartFormat } from '#web/views/chart/drawing/chart-parts.tsx'
import { PieChart } from '#web/views/chart/drawing/pie-chart.tsx'
import { EmptyState } from '#web/ui/feedback/notice.tsx'
import { IconDots } from '#web/ui/icons/frame.ts'
import { IconChartBar, IconDownload, IconTable } from '#web/ui/icons/general.ts'
import { notify } from '#web/ui/toast/notify.ts'
import type { ListingProps } from '../view-kind.ts'
import { CHART_TYPE_LABELS, chartFormat, summaryTitle } from './chart-format.ts'
import { chartMatrix, type ChartMatrix, printMatrix, shownMatrix } from './chart-matrix.ts'
import {
  type ChartPlan,
  type ChartSource,
  type ChartState,
  planOfChart,
  recordsLink,
  type RecordsLink,
  useChart,
} from './chart-query.ts'
import './chart-view.css'

type ChartFigureProps = ChartSource & {
  /** Names the downloads. */
  readonly name: string
  /** Shown instead of what the chart summarizes. */
  readonly title?: ReactNode
  readonly menuItems?: ReactNode
}

/** A chart of all records of the list. */
export const ChartListing = ({ collection, options, listing }: ListingProps<ChartOptions>) => (
  <div className="chart-listing">
    <ChartFigure collection={collection} options={options} listing={listing} name={collection.label} />
  </div>
)

/** A chart with its table, downloads and states. */
export function ChartFigure(props: ChartFigureProps) {
  const { name, title, menuItems } = props
  const state = useChart(props)
  const [isTable, setTable] = useState(false)
  const place = useRef<HTMLElement>(null)
  const caption = captionOf(props)
  const shown = state.is === 'ready' ? shownChart(props, state, caption) : undefined
  return (
    <figure className="chart-figure" ref={place} aria-label={name}>
      <figcaption className="chart-head">
        <div className="chart-title">
          {title}
          {caption !== '' && <span className="chart-caption">{caption}</span>}
        </div>
        {(shown || menuItems) && (
          <Menu position="bottom-end" width={220}>
            <Menu.Target>
              <ActionIcon aria-label={t('More actions for {name}', { name })}>
                <IconDots size={18} stroke={1.5} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {shown && (
                <ChartMenuItems
                  {...shown}
                  name={name}
                  place={place}
                  isTable={isTable}
                  onTable={props.options.type === 'pivot' ? undefined : setTable}
                />
              )}
              {menuItems}
            </Menu.Dropdown>
          </Menu>
        )}
      </figcaption>
      {shown ? <ChartBody {...shown} isTable={isTable} /> : <ChartMessage state={state} />}
      {state.is === 'ready' && <GroupsNote left={state.table.left} />}
    </figure>
  )
}

/** How many groups aren’t shown, unless “Other” contains them. */
function GroupsNote({ left }: { readonly left: number }) {
  if (left === 0) return null
  return (
    <p className="chart-note">
      {plural(
        left,
        '{n} more group isn’t shown. Filter the list to see it.',
        '{n} more groups aren’t shown. Filter the list to see them.',
      )}
    </p>
  )
}

/** What the chart shows, such as “Sum of Amount by Status and Due on”. */
function captionOf(source: ChartSource): string {
  const plan = planOfChart(source)
  if (!plan) return ''
  const value = summaryTitle(source.options.aggregate, plan.measured)
  const [by, split] = [plan.by?.field.label, plan.split?.field.label]
  if (by === undefined) return value
  return split === undefined
    ? t('{value} by {by}', { value, by })
    : t('{value} by {by} and {split}', { value, by, split })
}

type ShownChart = {
  readonly options: ChartSource['options']
  readonly table: ChartData
  readonly plan: ChartPlan
  readonly format: ChartFormat
  readonly colors: readonly string[]
  readonly matrix: ChartMatrix
  readonly caption: string
  readonly label: string
  /** The list of the records in a category, a series or both; undefined if there are none. */
  readonly linkTo: (category?: number, series?: number) => RecordsLink | undefined
  readonly collection: string
}

function shownChart(
  source: ChartSource,
  { table, plan }: Extract<ChartState, { is: 'ready' }>,
  caption: string,
): ShownChart {
  const { options } = source
  const isSingle = table.series.length === 1
  const keys = isSingle ? table.categories : table.series
  const isPie = options.type === 'pie' || options.type === 'donut'
  // Bars of one series have one color, unless the options have their own.
  const colors = keys.map((key, at) => chartColor(key, isSingle && !isPie ? 0 : at))
  const type = CHART_TYPE_LABELS[options.type]
  return {
    options,
    table,
    plan,
    colors,
    format: chartFormat({ measured: plan.measured, summary: options.aggregate, interval: plan.by?.interval ?? null }),
    matrix: chartMatrix(table, {
      group: plan.by?.field.label ?? '',
      value: summaryTitle(options.aggregate, plan.measured),
      hasTotals: plan.by !== undefined && (options.aggregate === 'count' || options.aggregate === 'sum'),
    }),
    label: t('{type}: {caption}. Use the arrow keys to read the values, and Enter to show the records.', {
      type,
      caption,
    }),
    caption,
    collection: source.collection.name,
    linkTo: (category, series) => {
      const value = valueAt(table, category, series)
      if (value === null || (value === 0 && options.aggregate === 'count')) return undefined
      const key = { category: table.categories[category ?? -1], series: table.series[series ?? -1] }
      return recordsLink(source, { plan, table }, key)
    },
  }
}

function valueAt({ categories, series, values, total }: ChartData, category?: number, one?: number): number | null {
  if (category === undefined) return one === undefined ? total : (series[one]?.value ?? null)
  if (one !== undefined) return values[one]?.[category] ?? null
  return series.length > 1 ? (categories[category]?.value ?? null) : (values[0]?.[category] ?? null)
}

function ChartBody(props: ShownChart & { readonly isTable: boolean }) {
  const { options, table, plan, format, colors, label, isTable, linkTo, collection } = props
  const navigate = useNavigate()
  if (options.type === 'number')
    return (
      <RecordsAnchor {...props} search={linkTo()} className="chart-number-link">
        <Figure value={format.value(table.total ?? 0)} isEmpty={table.total === null} />
      </RecordsAnchor>
    )
  if (isTable || options.type === 'pivot') return <MatrixTable {...props} />
  const onOpen = (category: number, series?: number) => {
    const search = linkTo(category, series)
    if (search) void navigate({ to: '/collections/$collection', params: { collection }, search })
  }
  const shared = { table, format, colors, label, onOpen }
  if (options.type === 'pie' || options.type === 'donut')
    return <PieChart {...shared} isDonut={options.type === 'donut'} total={format.value(table.total ?? 0)} />
  return (
    <>
      {table.series.length > 1 && <ChartLegend keys={table.series} colors={colors} />}
      <CartesianChart
        {...shared}
        kind={options.type}
        stacking={options.stacking}
        areDates={plan.by !== undefined && plan.by.interval !== null}
      />
    </>
  )
}

type RecordsAnchorProps = Pick<ShownChart, 'collection'> & {
  readonly search: RecordsLink | undefined
  readonly className: string
  readonly children: ReactNode
}

const RecordsAnchor = ({ collection, search, className, children }: RecordsAnchorProps) =>
  search ? (
    <Link to="/collections/$collection" params={{ collection }} search={search} className={className}>
      {children}
    </Link>
  ) : (
    children
  )

/** Height of the drawing in px; its text is centered. */
const FIGURE_PX = 64

/** Long numbers are smaller, so that they fit; a digit is about 0.62 em wide. */
const figureSize = (value: string): string => `min(40px, ${(100 / (0.62 * Math.max(1, value.length))).toFixed(1)}cqi)`

const Figure = ({ value, isEmpty }: { readonly value: string; readonly isEmpty: boolean }) => (
  <div className="chart-number">
    <svg width="100%" height={FIGURE_PX} role="img" aria-label={value}>
      <text className="chart-number-value" x={0} y={FIGURE_PX * 0.75} style={{ fontSize: figureSize(value) }}>
        {isEmpty ? '–' : value}
      </text>
    </svg>
  </div>
)

type MatrixTableProps = Pick<ShownChart, 'table' | 'plan' | 'matrix' | 'format' | 'caption' | 'linkTo' | 'collection'>

/** Every value is a link to its records. */
function MatrixTable({ table, plan, matrix, format, caption, linkTo, collection }: MatrixTableProps) {
  const linkAt = (line: number, at: number) =>
    linkTo(line < table.categories.length ? line : undefined, plan.split && at < table.series.length ? at : undefined)
  const [header = [], ...rows] = shownMatrix(matrix, format.value)
  const last = matrix.totals ? rows.length - 1 : -1
  return (
    <div className="chart-table" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {header.map((text, at) => (
              <th key={at} scope="col">
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...cells], line) => (
            <tr key={line} data-total={line === last || undefined}>
              <th scope="row">{first}</th>
              {cells.map((text, at) => (
                <td key={at}>
                  <RecordsAnchor collection={collection} search={linkAt(line, at)} className="chart-table-link">
                    {text}
                  </RecordsAnchor>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function ChartMessage({ state }: { readonly state: ChartState }) {
  switch (state.is) {
    case 'failed':
      return <FailureNotice error={state.error} onRetry={state.retry} />
    case 'empty':
      return <EmptyState icon={IconChartBar} text={t('No records to show in this chart')} />
    case 'incomplete':
      return (
        <EmptyState
          icon={IconChartBar}
          text={t(
            'Choose fields for this chart under Layout. Fields that were deleted or that you can’t see are missing.',
          )}
        />
      )
    default:
      return <div className="chart-skeleton" role="status" aria-busy aria-label={t('Loading')} />
  }
}

type ChartMenuItemsProps = Pick<ShownChart, 'options' | 'table' | 'colors' | 'matrix' | 'format'> & {
  readonly name: string
  readonly place: RefObject<HTMLElement | null>
  readonly isTable: boolean
  /** Undefined if the chart is a table. */
  readonly onTable: ((isTable: boolean) => void) | undefined
}

function ChartMenuItems({ options, isTable, onTable, ...image }: ChartMenuItemsProps) {
  const { name, matrix } = image
  return (
    <>
      {onTable && options.type !== 'number' && (
        <Menu.Item
          leftSection={
            isTable ? (
              <IconChartBar size={16} stroke={1.5} aria-hidden />
            ) : (
              <IconTable size={16} stroke={1.5} aria-hidden />
            )
          }
          onClick={() => onTable(!isTable)}
        >
          {isTable ? t('Show chart') : t('Show table')}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />} onClick={() => void savePng(image)}>
        {t('Download as PNG')}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
        onClick={() => saveBlob(new Blob([printMatrix(matrix)], { type: 'text/csv' }), `${fileName(name)}.csv`)}
      >
        {t('Download as CSV')}
      </Menu.Item>
    </>
  )
}

const fileName = (name: string): string => name.replaceAll(/[\\/:*?"<>|]/g, ' ').trim()

type ImageSource = Pick<ChartMenuItemsProps, 'table' | 'colors' | 'matrix' | 'format' | 'name' | 'place'>

async function savePng({ table, colors, matrix, format, name, place }: ImageSource): Promise<void> {
  const figure = place.current
  if (!figure) return
  const svg = figure.querySelector<SVGSVGElement>('.chart-canvas svg, .chart-pie svg, .chart-number svg')
  const keys: readonly ChartKey[] = svg?.closest('.chart-pie') ? table.categories : table.series
  const legend = keys.length > 1 ? keys.map(({ label }, at) => ({ label, color: colors[at] ?? '' })) : []
  const drawn = svg
    ? chartImage(svg, { title: name, legend })
    : tableImage(shownMatrix(matrix, format.value), { title: name, at: figure })
  await drawn.then(
    (image) => saveBlob(image, `${fileName(name)}.png`),
    () => notify.error(t('Couldn’t create the image')),
  )
}
