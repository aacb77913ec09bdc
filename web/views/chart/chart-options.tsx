import { SegmentedControl } from '@mantine/core'
import { useId } from 'react'
import { canGroupBy, type Field } from '#domain/fields/field.ts'
import { valueField } from '#domain/formulas/value-field.ts'
import { AGGREGATES, GROUP_INTERVALS, type GroupInterval } from '#domain/query/list/aggregates.ts'
import { CHART_TYPES, type ChartOptions, canSplit, isMeasurable } from '#domain/views/chart.ts'
import { t } from '#web/i18n/t.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { Select } from '#web/ui/dropdown/select.tsx'
import type { ViewOptionsFormProps } from '../view-kind.ts'
import { CHART_TYPE_LABELS, INTERVAL_LABELS } from './chart-format.ts'
import { fieldsOfChart } from './chart-query.ts'

const TYPES = CHART_TYPES.map((value) => ({ value, label: CHART_TYPE_LABELS[value] }))
const INTERVALS = GROUP_INTERVALS.map((value) => ({ value, label: INTERVAL_LABELS[value] }))

const SUMMARY_LABELS = {
  count: t('Number of records'),
  sum: t('Sum'),
  avg: t('Average'),
  min: t('Smallest'),
  max: t('Largest'),
} as const
const SUMMARIES = AGGREGATES.map((value) => ({ value, label: SUMMARY_LABELS[value] }))

const STACKINGS = [
  { value: 'stacked', label: t('Stacked') },
  { value: 'grouped', label: t('Side by side') },
  { value: 'percent', label: t('Percent') },
] as const

const ORDERS = [
  { value: 'group', label: t('As in the list') },
  { value: 'value', label: t('Largest first') },
] as const

type ChartOptionsFormProps = ViewOptionsFormProps<ChartOptions>

export function ChartOptionsForm({ collection, options, onChange }: ChartOptionsFormProps) {
  const { type, by, splitBy } = options
  const fields = fieldsOfChart(collection)
  const set = (part: Partial<ChartOptions>) => onChange({ ...options, ...part })
  const part = { fields, options, set }
  const isSplit = canSplit(options) && splitBy !== null
  const stackings = type === 'bar' ? STACKINGS : STACKINGS.filter(({ value }) => value !== 'grouped')
  return (
    <>
      <WithHelp setting="chart-type">
        <Select
          size="xs"
          label={t('Chart type')}
          allowDeselect={false}
          data={TYPES}
          value={type}
          onChange={(next) => next && set({ type: next })}
        />
      </WithHelp>
      <WithHelp setting="chart-value">
        <ValueSelects {...part} />
      </WithHelp>
      {type !== 'number' && (
        <WithHelp setting="chart-group">
          <GroupSelect {...part} />
          <IntervalSelect
            field={fields.find(({ id }) => id === by)}
            value={options.interval}
            onChange={(interval) => set({ interval })}
          />
        </WithHelp>
      )}
      {canSplit(options) && (
        <WithHelp setting="chart-split">
          <SeriesSelect {...part} />
          <IntervalSelect
            field={fields.find(({ id }) => id === splitBy)}
            value={options.splitInterval}
            onChange={(splitInterval) => set({ splitInterval })}
          />
        </WithHelp>
      )}
      {isSplit && (type === 'bar' || type === 'area') && (
        <WithHelp setting="chart-stacking">
          <Segments
            label={t('Series are')}
            data={stackings}
            value={options.stacking}
            onChange={(stacking) => set({ stacking })}
          />
        </WithHelp>
      )}
      {type !== 'number' && (
        <WithHelp setting="chart-order">
          <Segments label={t('Order')} data={ORDERS} value={options.order} onChange={(order) => set({ order })} />
        </WithHelp>
      )}
    </>
  )
}

type PartProps = {
  readonly fields: readonly Field[]
  readonly options: ChartOptions
  readonly set: (part: Partial<ChartOptions>) => void
}

function ValueSelects({ fields, options: { aggregate, measured }, set }: PartProps) {
  const numbers = fields.filter(isMeasurable)
  return (
    <>
      <Select
        size="xs"
        label={t('Value')}
        allowDeselect={false}
        data={numbers.length === 0 ? SUMMARIES.slice(0, 1) : SUMMARIES}
        value={aggregate}
        onChange={(next) => next && set({ aggregate: next, measured: measured ?? numbers[0]?.id ?? null })}
      />
      {aggregate !== 'count' && (
        <Select
          size="xs"
          aria-label={t('Number field')}
          allowDeselect={false}
          data={optionsOf(numbers)}
          value={measured}
          onChange={(next) => next && set({ measured: next })}
        />
      )}
    </>
  )
}

const GroupSelect = ({ fields, options: { type, by }, set }: PartProps) => (
  <Select
    size="xs"
    label={type === 'pivot' ? t('Rows') : t('Groups')}
    placeholder={t('Choose a field')}
    searchable
    allowDeselect={false}
    data={optionsOf(fields.filter(canGroupBy))}
    value={by}
    onChange={(next) => next && set({ by: next })}
  />
)

const SeriesSelect = ({ fields, options: { type, by, splitBy }, set }: PartProps) => (
  <Select
    size="xs"
    label={type === 'pivot' ? t('Columns') : t('Series')}
    placeholder={t('None')}
    searchable
    clearable
    data={optionsOf(fields.filter((field) => canGroupBy(field) && field.id !== by))}
    value={splitBy}
    onChange={(next) => set({ splitBy: next })}
  />
)

const optionsOf = (fields: readonly Field[]) => fields.map(({ id, label }) => ({ value: id, label }))

type IntervalSelectProps = {
  readonly field: Field | undefined
  readonly value: GroupInterval
  readonly onChange: (interval: GroupInterval) => void
}

/** Only for dates. */
function IntervalSelect({ field, value, onChange }: IntervalSelectProps) {
  const kind = field && valueField(field).kind
  if (!field || (kind !== 'date' && kind !== 'date-time')) return null
  return (
    <Select
      size="xs"
      aria-label={t('Interval of {label}', { label: field.label })}
      allowDeselect={false}
      data={INTERVALS}
      value={value}
      onChange={(next) => next && onChange(next)}
    />
  )
}

type SegmentsProps<Value extends string> = {
  readonly label: string
  readonly data: readonly { readonly value: Value; readonly label: string }[]
  readonly value: Value
  readonly onChange: (value: Value) => void
}

function Segments<Value extends string>({ label, data, value, onChange }: SegmentsProps<Value>) {
  const id = useId()
  return (
    <>
      <h2 id={id} className="columns-heading">
        {label}
      </h2>
      <SegmentedControl size="xs" fullWidth aria-labelledby={id} data={[...data]} value={value} onChange={onChange} />
    </>
  )
}
