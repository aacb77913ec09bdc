import { SegmentedControl } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { Filter } from '#domain/query/filter/filter.ts'
import { parseFilter } from '#domain/query/filter/parse-filter.ts'
import { printFilter } from '#domain/query/filter/print-filter.ts'
import { comparisonsOf, filterByName } from '#domain/query/filter/saved-filter.ts'
import { t } from '#web/i18n/t.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { ConditionRows } from './condition-rows.tsx'
import {
  type ConditionOptions,
  ConditionOptionsProvider,
  filterContext,
  filterErrorIn,
  type UserAttribute,
} from '#web/shared/conditions/condition-options.ts'
import { canDraw } from '#web/shared/conditions/model/condition-tree.ts'
import type { FindCollection } from '#web/shared/conditions/path-fields.ts'
import type { OnCondition } from './tree-edits.ts'
import './conditions.css'
import type { QueryFault } from '#domain/query/check/query-context.ts'
import { FilterInput } from '#web/shared/conditions/filter-input/filter-input.tsx'
import { useCompletionContext } from '#web/shared/conditions/filter-input/use-completion.ts'

type ConditionTextProps = {
  readonly label: string
  readonly collection: TypedCollection
  readonly findCollection: FindCollection
  readonly text: string
  readonly faultIn: (text: string) => QueryFault | undefined
  readonly onChange: (text: string) => void
}

/** Edits the condition as text and applies it on every keystroke. */
function ConditionText({ label, collection, findCollection, text, faultIn, onChange }: ConditionTextProps) {
  const [typed, setTyped] = useState(text)
  return (
    <FilterInput
      label={t('{label} (as text)', { label })}
      text={typed}
      fault={faultIn(typed)}
      world={useCompletionContext(collection, findCollection)}
      onType={(next) => {
        setTyped(next)
        onChange(next)
      }}
    />
  )
}

export type ConditionBuilderProps = {
  /** The row's accessible name. */
  readonly label: string
  readonly collection: TypedCollection
  readonly findCollection: FindCollection
  readonly value: Filter | null
  /**
   * The condition identifies fields by name. Save it only if complete, because an incomplete condition could match too
   * many records.
   */
  readonly onChange: OnCondition
  /** Label for `@me`; undefined if the condition doesn't depend on the current user. */
  readonly me?: string
  readonly ownNotes?: readonly UserAttribute[]
  /** Whether the condition belongs to a grant, which supports fewer operators. */
  readonly isOfGrant?: boolean
  readonly emptyText?: string
  /** Text shown before the first line. */
  readonly lead?: string
  /** Whether a condition is required, so that an empty first line is shown. */
  readonly needsOne?: boolean
}

type Form = 'lines' | 'text'

const NO_ATTRIBUTES: readonly UserAttribute[] = []

/** Edits a condition either as nested lines or as text. */
export function ConditionBuilder(props: ConditionBuilderProps) {
  const { label, collection, findCollection, onChange, me, ownNotes = NO_ATTRIBUTES, isOfGrant = false } = props
  const { lead = t('Where') } = props
  const context = useMemo(
    () => filterContext(collection, findCollection, ownNotes),
    [collection, findCollection, ownNotes],
  )
  const value = props.value === null ? null : filterByName(props.value, context)
  const isDrawable = canDraw(value)
  const setting = useMemo<ConditionOptions>(
    () => ({ me: me ?? null, ownNotes, isOfGrant, countsAtOnce: true, lead }),
    [me, ownNotes, isOfGrant, lead],
  )
  const [chosen, setChosen] = useState<Form>('lines')
  const form = isDrawable ? chosen : 'text'

  const type = (text: string) => {
    const fault = filterErrorIn(text, context, isOfGrant)
    const parsed = parseFilter(text)
    if (fault || !parsed.ok) onChange(value, false)
    else onChange(comparisonsOf(parsed.value.filter).length === 0 ? null : parsed.value.filter, true)
  }
  return (
    <ConditionOptionsProvider value={setting}>
      <div className="condition-builder" role="group" aria-label={label}>
        <SegmentedControl
          className="condition-form"
          size="xs"
          aria-label={t('Edit {label} as', { label })}
          value={form}
          onChange={(next) => {
            setChosen(next)
            // Switching between lines and text drops incomplete lines.
            onChange(value, true)
          }}
          data={[
            { value: 'lines', label: t('Conditions'), disabled: !isDrawable },
            { value: 'text', label: t('Text') },
          ]}
        />
        {form === 'text' ? (
          <ConditionText
            label={label}
            collection={collection}
            findCollection={findCollection}
            text={value === null ? '' : printFilter(value)}
            faultIn={(text) => filterErrorIn(text, context, isOfGrant)}
            onChange={type}
          />
        ) : (
          <ConditionRows {...props} value={value} />
        )}
      </div>
    </ConditionOptionsProvider>
  )
}
