import { Button, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo } from 'react'
import type { Filter } from '#domain/query/filter/filter.ts'
import { printFilter } from '#domain/query/filter/print-filter.ts'
import type { QueryContext, QueryFault } from '#domain/query/check/query-context.ts'
import { comparisonsOf, conditionsOf, filterByName } from '#domain/query/filter/saved-filter.ts'
import { ConditionRows } from '#web/shared/conditions/builder/condition-rows.tsx'
import {
  type ConditionOptions,
  ConditionOptionsProvider,
  filterContext,
  filterErrorIn,
} from '#web/shared/conditions/condition-options.ts'
import { canDraw } from '#web/shared/conditions/model/condition-tree.ts'
import { describeCondition, useFindCollection } from '#web/shared/conditions/describe-condition.ts'
import type { FindCollection } from '#web/shared/conditions/path-fields.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { peopleQuery } from '#web/shared/lookups/search-options.ts'
import { t } from '#web/i18n/t.ts'
import { conditionCount, treeOf } from './column-condition.ts'
import '../list-toolbar.css'
import { FilterInput, type FilterTextError } from '#web/shared/conditions/filter-input/filter-input.tsx'
import { useCompletionContext } from '#web/shared/conditions/filter-input/use-completion.ts'

type FilterTextProps = {
  readonly collection: TypedCollection
  readonly findCollection: FindCollection
  readonly text: string
  readonly typed: string
  readonly refusal: FilterTextError | undefined
  readonly faultIn: (text: string) => QueryFault | undefined
  readonly onTyped: (text: string) => void
  readonly onApply: (text: string) => void
}

/** An input for the filter text: Enter applies it, Escape restores the active filter. */
function FilterText(props: FilterTextProps) {
  const { collection, findCollection, text, typed, refusal, faultIn, onTyped, onApply } = props
  const isChanged = typed.trim() !== text.trim()
  // The server's error refers only to the active filter, not to edited text.
  const fault = faultIn(typed) ?? (isChanged ? undefined : refusal)
  const apply = () => {
    if (fault === undefined && isChanged) onApply(typed)
  }
  return (
    <>
      <FilterInput
        label={t('Filter as text')}
        text={typed}
        fault={fault}
        world={useCompletionContext(collection, findCollection)}
        autoFocus
        onType={onTyped}
        onEnter={apply}
        onLeave={apply}
        onGiveBack={() => {
          if (typed !== text) onTyped(text)
          return typed !== text
        }}
      />
      {isChanged && (
        <div className="filter-text-foot">
          <span className="tool-hint">
            {fault === undefined
              ? t('Press Enter to apply, Escape to cancel.')
              : t('Fix the error to apply the filter.')}
          </span>
          <Button
            size="xs"
            variant="subtle"
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onTyped(text)}
          >
            {t('Cancel')}
          </Button>
          <Button size="xs" variant="filled" disabled={fault !== undefined} onClick={apply}>
            {t('Apply')}
          </Button>
        </div>
      )}
    </>
  )
}

export type FilterForm = 'lines' | 'text'

/** Filter text that was typed but hasn't been applied. */
export type PendingFilterText = {
  readonly of: string
  readonly typed: string
  /** Set if a complete filter was inserted from outside the panel; it is applied if it is valid for this collection. */
  readonly isGiven?: true
}

export type FilterPanelProps = {
  readonly collection: TypedCollection
  /** The text of the active filter. */
  readonly text: string
  readonly onChange: (text: string) => void
  readonly refusal: { readonly message: string; readonly position: number | undefined } | undefined
  readonly form: FilterForm
  readonly onForm: (form: FilterForm) => void
  readonly kept: PendingFilterText | undefined
  readonly onKept: (kept: PendingFilterText | undefined) => void
}

const SETTING: ConditionOptions = { me: t('Me'), ownNotes: [], isOfGrant: false, countsAtOnce: false, lead: t('Where') }

export function countConditions(text: string): string {
  const tree = treeOf(text)
  return tree === undefined ? '!' : String(conditionCount(tree))
}

function valueOf(text: string, context: QueryContext): Filter | null {
  const tree = treeOf(text)
  return tree && comparisonsOf(tree).length > 0 ? filterByName(tree, context) : null
}

export function FilterPanel(props: FilterPanelProps) {
  const { collection, text, onChange, refusal, kept, onKept, onForm } = props
  const findCollection = useFindCollection()
  const context = useMemo(() => filterContext(collection, findCollection, []), [collection, findCollection])
  const fault = filterErrorIn(text, context) ?? refusal
  const value = valueOf(text, context)
  const isDrawable = fault === undefined && canDraw(value)
  const typed = kept?.of === text ? kept.typed : text
  const form = isDrawable ? props.form : 'text'
  const apply = (wanted: string) => {
    onKept(undefined)
    onChange(wanted.trim())
  }
  const isRight = filterErrorIn(typed, context) === undefined
  useControlledText(kept, isRight, apply)
  return (
    <ConditionOptionsProvider value={SETTING}>
      <PanelHeader
        form={form}
        onForm={onForm}
        isDrawable={isDrawable}
        {...(text !== '' && { onClear: () => apply('') })}
      />
      {form === 'lines' ? (
        <ConditionRows
          collection={collection}
          findCollection={findCollection}
          value={value}
          emptyText={t('No filters applied. Add a condition to narrow the list.')}
          onChange={(next) => onChange(next === null ? '' : printFilter(next))}
        />
      ) : (
        <FilterText
          collection={collection}
          findCollection={findCollection}
          text={text}
          typed={typed}
          refusal={refusal}
          faultIn={(wanted) => filterErrorIn(wanted, context)}
          onTyped={(wanted) => onKept(wanted === text ? undefined : { of: text, typed: wanted })}
          onApply={apply}
        />
      )}
      {form === 'text' && isRight && (
        <FilterSummary collection={collection} findCollection={findCollection} text={typed} />
      )}
    </ConditionOptionsProvider>
  )
}

/** Applies filter text from outside the panel if it is valid for this collection. */
function useControlledText(
  kept: PendingFilterText | undefined,
  isRight: boolean,
  onApply: (wanted: string) => void,
): void {
  const given = kept?.isGiven && isRight ? kept.typed : undefined
  const apply = useEffectEvent(onApply)
  useEffect(() => {
    if (given !== undefined) apply(given)
  }, [given])
}

type PanelHeaderProps = {
  readonly form: FilterForm
  readonly onForm: (form: FilterForm) => void
  readonly isDrawable: boolean
  readonly onClear?: () => void
}

function PanelHeader({ form, onForm, isDrawable, onClear }: PanelHeaderProps) {
  return (
    <div className="filter-panel-head">
      <SegmentedControl
        size="xs"
        aria-label={t('Filter format')}
        value={form}
        onChange={onForm}
        data={[
          { value: 'lines', label: t('Conditions'), disabled: !isDrawable },
          { value: 'text', label: t('Text') },
        ]}
      />
      {onClear && (
        <Button
          size="xs"
          variant="subtle"
          onClick={({ currentTarget }) => {
            // The button disappears together with the filter, so focus moves to the panel.
            currentTarget.closest<HTMLElement>('[role="dialog"]')?.focus()
            onClear()
          }}
        >
          {t('Clear filter')}
        </Button>
      )}
    </div>
  )
}

type FilterSummaryProps = {
  readonly collection: TypedCollection
  readonly findCollection: FindCollection
  readonly text: string
}

/** Describes the filter and explains why it can't be shown as conditions. */
function FilterSummary({ collection, findCollection, text }: FilterSummaryProps) {
  const { data: people = [] } = useQuery(peopleQuery)
  const personOf = (id: string) => people.find((person) => person.id === id)?.name
  const tree = treeOf(text)
  if (tree === undefined || comparisonsOf(tree).length === 0) return null
  return (
    <p className="tool-hint">
      {describeCondition(tree, { collection, findCollection, personOf })}
      {!canDraw(tree) && `. ${whyText(tree)}`}
    </p>
  )
}

const whyText = (tree: Filter): string =>
  conditionsOf(tree).some((condition) => 'formula' in condition)
    ? t('Functions and arithmetic can only be edited as text.')
    : t('Groups nested this deeply can only be edited as text.')
