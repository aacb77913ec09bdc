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
  /** The condition as it is known. */
  readonly text: string
  /** What is wrong with what is typed. */
  readonly faultIn: (text: string) => QueryFault | undefined
  readonly onChange: (text: string) => void
}

/** A condition that is to be kept, as text: every key counts. */
function ConditionText({ label, collection, findCollection, text, faultIn, onChange }: ConditionTextProps) {
  const [typed, setTyped] = useState(text)
  return (
    <FilterInput
      label={t('{label}, as text', { label })}
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

/** What the builder is told. */
export type ConditionBuilderProps = {
  /** What the condition is for: the name of the whole, to people who do not see it. */
  readonly label: string
  readonly collection: TypedCollection
  /** Where relations lead. */
  readonly findCollection: FindCollection
  /** By names or ids; null says nothing. */
  readonly value: Filter | null
  /** The condition by names. Only one that `isComplete` may be saved: it might mean more records than it shall. */
  readonly onChange: OnCondition
  /** What `@me` is called here; left out where a condition means the same whoever reads it. */
  readonly me?: string
  /** What is noted about people, for `@me.<name>`. */
  readonly ownNotes?: readonly UserAttribute[]
  /** Whether the condition belongs to a grant, which takes fewer operators. */
  readonly isOfGrant?: boolean
  /** Said while there is no condition. */
  readonly emptyText?: string
  /** The word before the first line. */
  readonly lead?: string
  /** Where something must be said, the first line stands there already. */
  readonly needsOne?: boolean
}

type Form = 'lines' | 'text'

const NO_ATTRIBUTES: readonly UserAttribute[] = []

/** Builds one condition that is to be kept, drawn as lines in groups or typed as text; both are the same tree. */
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
          aria-label={t('How {label} is shown', { label })}
          value={form}
          onChange={(next) => {
            setChosen(next)
            // What is not complete is left out: the other form shows what was said, and no more.
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
