import { Button } from '@mantine/core'
import { useState } from 'react'
import {
  type Field,
  type FormulaResult,
  isRollup,
  linkedCollection,
  ROLLUP_FUNCTIONS,
  type RollupFunction,
  type RollupKind,
  type RollupOptions,
} from '#domain/fields/field.ts'
import { MAX_PATH_RELATIONS } from '#domain/query/query-limits.ts'
import { resultKind, sourceOf } from '#domain/formulas/formula-fields.ts'
import { valueField } from '#domain/formulas/value-field.ts'
import { functionOf, isSingle, rollupFilter, stepsOf } from '#domain/rollups/rollup-plan.ts'
import { resultOf } from '#domain/rollups/summarize.ts'
import type { FieldPlace, OptionsProps } from '#web/field-kinds/field-kind.ts'
import { t } from '#web/i18n/t.ts'
import { LazyConditionBuilder } from '#web/shared/conditions/builder/lazy-condition-builder.tsx'
import { useFindCollection } from '#web/shared/conditions/describe-condition.ts'
import { definitionOf, type FindCollection } from '#web/shared/conditions/path-fields.ts'
import { KIND_TRAITS, traitsOf } from '#web/shared/fields/kinds.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'
import type { DropdownOption } from '#web/ui/dropdown/option.tsx'
import { IconPlus } from '#web/ui/icons/frame.ts'
import './rollup.css'

export const LookupOptionsForm = (props: OptionsProps<'lookup'>) => <RollupForm {...props} kind="lookup" />

export const CountOptionsForm = (props: OptionsProps<'count'>) => <RollupForm {...props} kind="count" />

export const RollupOptionsForm = (props: OptionsProps<'rollup'>) => <RollupForm {...props} kind="rollup" />

type RollupFormProps = OptionsProps<RollupKind> & { readonly kind: RollupKind }

function RollupForm({ place, ...props }: RollupFormProps) {
  if (place === undefined) return null
  const stored = place.collection.fields.find(({ id }) => id === place.field)
  // The server omits what the user can't read.
  const isHidden = props.isStored && stored !== undefined && isRollup(stored) && stored.options.path.length === 0
  return isHidden ? (
    <p>{t('You can’t see these settings, because they use fields you can’t read.')}</p>
  ) : (
    <RollupEditor {...props} place={place} />
  )
}

type RollupEditorProps = RollupFormProps & { readonly place: FieldPlace }

/** Leads step by step from the record to linked records, of which a field is shown or summarized. */
function RollupEditor({ kind, options, onChange, errorAt, place }: RollupEditorProps) {
  const find = useFindCollection()
  const { path, collections, isOne } = routeOf(place.collection, options.path, find)
  const target = path.length === 0 ? undefined : collections.at(-1)
  const field = target?.fields.find(({ id }) => id === options.field)
  const definition = { kind, target, isOne }
  const change = (next: RollupOptions) => onChange(withResult(next, definition))
  return (
    <>
      <WithHelp setting="field-rollup-path" isDescribed>
        <StepPickers
          path={path}
          collections={collections}
          find={find}
          error={errorAt('options.path')}
          onPath={(next) => onChange({ path: next, function: options.function, result: options.result })}
        />
      </WithHelp>
      {target && kind !== 'count' && (
        <SummarizedField
          fields={target.fields.filter((each) => each.id !== place.field && summarizedKind(each) !== undefined)}
          {...{ kind, options, target, field, onChange: change, errorAt }}
        />
      )}
      {target && (
        <IncludedRecords target={target} options={options} onChange={change} error={errorAt('options.filter')} />
      )}
      {target && (kind === 'count' || field) && (
        <p className="rollup-note" role="status">
          {t('Result: {type}', { type: KIND_TRAITS[withResult(options, definition).result].label })}
          {' · '}
          {t(
            'Calculated from all linked records. People who can’t read them don’t see it, unless a role grants this field.',
          )}
        </p>
      )}
    </>
  )
}

type Route = {
  /** The part of a path whose fields exist. */
  readonly path: readonly string[]
  /** The collection of the record, and those to which the path leads. */
  readonly collections: readonly TypedCollection[]
  /** Whether at most one record is linked. */
  readonly isOne: boolean
}

function routeOf(start: TypedCollection, wanted: readonly string[], find: FindCollection): Route {
  const collectionOf = (id: string) => {
    const found = find(id)
    return found && definitionOf(found)
  }
  const context = { collection: definitionOf(start), collectionOf, timeZone: 'UTC' }
  const path = wanted.filter((_, at) => stepsOf(wanted.slice(0, at + 1), context).ok)
  const route = stepsOf(path, context)
  const steps = route.ok ? route.value.steps : []
  const collections = [start, ...steps.flatMap(({ into }) => (into === start.id ? start : (find(into) ?? [])))]
  return { path, collections, isOne: isSingle(steps) }
}

type Definition = {
  readonly kind: RollupKind
  readonly target: TypedCollection | undefined
  /** Whether the path leads to at most one record. */
  readonly isOne: boolean
}

/** The options with a function that applies to the field, and the type of its values. */
function withResult(options: RollupOptions, { kind, target, isOne }: Definition): RollupOptions {
  if (kind === 'count') return { ...options, function: 'count', result: 'number' }
  const field = target?.fields.find(({ id }) => id === options.field)
  const values = field && summarizedKind(field)
  if (values === undefined) return options
  const applies = kind === 'lookup' || resultOf(options.function, values) !== undefined
  const name = applies ? functionOf(kind, options.function, isOne) : INITIAL_FUNCTIONS[values]
  return { ...options, function: name, result: resultOf(name, values) ?? 'text' }
}

/** The type of a field's values, if linked records can be summarized by them. */
function summarizedKind(field: Field): FormulaResult | undefined {
  const source = sourceOf(valueField(field))
  return source.ok ? resultKind(source.value) : undefined
}

const INITIAL_FUNCTIONS: { readonly [Kind in FormulaResult]: RollupFunction } = {
  number: 'sum',
  text: 'join',
  checkbox: 'all',
  date: 'max',
  'date-time': 'max',
}

type StepPickersProps = Pick<Route, 'path' | 'collections'> & {
  readonly find: FindCollection
  readonly error: string | undefined
  readonly onPath: (path: readonly string[]) => void
}

function StepPickers({ path, collections, find, error, onPath }: StepPickersProps) {
  const [isAdding, setAdding] = useState(false)
  const [start] = collections
  const next = collections.at(-1)
  const optionsOf = ({ fields }: TypedCollection): readonly DropdownOption[] =>
    fields.filter((field) => leadsTo(field, (id) => id === start?.id || find(id) !== undefined)).map(fieldOption)
  const canAdd = path.length < MAX_PATH_RELATIONS && next !== undefined && optionsOf(next).length > 0
  const choose = (at: number, id: string | null) => {
    setAdding(false)
    onPath([...path.slice(0, at), ...(id === null ? [] : [id])])
  }
  const picker = (from: TypedCollection, at: number) => (
    <Dropdown
      key={at}
      label={at === 0 ? t('Linked records') : t('Then, in {collection}', { collection: from.label })}
      description={at === 0 ? t('The field that leads to the records') : undefined}
      required={at === 0}
      clearable={at > 0}
      options={optionsOf(from)}
      value={path[at] ?? null}
      onChange={(id) => choose(at, id)}
      error={at === 0 ? error : undefined}
      placeholder={t('Select a field')}
      autoFocus={at > 0 && path[at] === undefined}
    />
  )
  return (
    <div className="rollup-steps">
      {collections.slice(0, path.length).map(picker)}
      {next && (path.length === 0 || (canAdd && isAdding)) && picker(next, path.length)}
      {path.length > 0 && canAdd && !isAdding && (
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconPlus size={14} stroke={1.75} />}
          onClick={() => setAdding(true)}
        >
          {t('Continue to records linked from {collection}', { collection: next.label })}
        </Button>
      )}
    </div>
  )
}

/** Whether a field leads to linked records in a collection that the user can see. */
function leadsTo(field: Field, isSeen: (collection: string) => boolean): boolean {
  const linked = linkedCollection(field)
  return linked !== undefined && isSeen(linked)
}

const fieldOption = (field: Field): DropdownOption => ({
  value: field.id,
  label: field.label,
  icon: traitsOf(field).Icon,
})

type SummarizedFieldProps = {
  readonly kind: RollupKind
  readonly fields: readonly Field[]
  readonly target: TypedCollection
  readonly field: Field | undefined
  readonly options: RollupOptions
  readonly onChange: (options: RollupOptions) => void
  readonly errorAt: (path: string) => string | undefined
}

function SummarizedField({ kind, fields, target, field, options, onChange, errorAt }: SummarizedFieldProps) {
  const values = field && summarizedKind(field)
  return (
    <>
      <WithHelp setting="field-rollup-field" isDescribed>
        <Dropdown
          label={t('Field')}
          description={t('In {collection}', { collection: target.label })}
          required
          options={fields.map(fieldOption)}
          value={field?.id ?? null}
          onChange={(id) => id !== null && onChange({ ...options, field: id })}
          error={errorAt('options.field')}
          placeholder={t('Select a field')}
        />
      </WithHelp>
      {kind === 'rollup' && values !== undefined && (
        <WithHelp setting="field-rollup-function">
          <Dropdown
            label={t('Function')}
            required
            options={ROLLUP_FUNCTIONS.filter((each) => resultOf(each, values) !== undefined).map((each) => ({
              value: each,
              label: FUNCTION_LABELS[each],
            }))}
            value={options.function}
            onChange={(chosen) => {
              const found = ROLLUP_FUNCTIONS.find((each) => each === chosen)
              if (found) onChange({ ...options, function: found })
            }}
            error={errorAt('options.function')}
          />
        </WithHelp>
      )}
    </>
  )
}

const FUNCTION_LABELS: { readonly [Name in RollupFunction]: string } = {
  sum: t('Sum'),
  avg: t('Average'),
  min: t('Minimum'),
  max: t('Maximum'),
  count: t('Number of values'),
  countDistinct: t('Number of different values'),
  first: t('First value'),
  last: t('Last value'),
  join: t('All values, separated by commas'),
  any: t('Whether any is checked'),
  all: t('Whether all are checked'),
}

const nowhere = (): undefined => undefined

type IncludedRecordsProps = {
  readonly target: TypedCollection
  readonly options: RollupOptions
  readonly onChange: (options: RollupOptions) => void
  readonly error: string | undefined
}

function IncludedRecords({ target, options, onChange, error }: IncludedRecordsProps) {
  return (
    <div className="rollup-filter">
      <WithHelp setting="field-rollup-filter">
        <h3>{t('Only records where')}</h3>
        <LazyConditionBuilder
          label={t('Only records where')}
          collection={target}
          // A filter can use only fields of the linked records themselves.
          findCollection={nowhere}
          value={rollupFilter(options) ?? null}
          emptyText={t('Includes all linked records. Add a condition to limit them.')}
          onChange={(filter, isComplete) => {
            // An incomplete condition could include too many records.
            if (!isComplete) return
            const { filter: _, ...others } = options
            onChange(filter ? { ...others, filter } : others)
          }}
        />
      </WithHelp>
      {error !== undefined && (
        <p role="alert" className="rollup-error">
          {error}
        </p>
      )}
    </div>
  )
}
