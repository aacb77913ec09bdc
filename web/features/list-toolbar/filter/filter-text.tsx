import { Button } from '@mantine/core'
import type { QueryFault } from '#domain/query/query-context.ts'
import { FilterInput, type FilterTextError } from '#web/shared/conditions/filter-input/filter-input.tsx'
import type { FindCollection } from '#web/shared/conditions/path-fields.ts'
import { useCompletionContext } from '#web/shared/conditions/filter-input/use-completion-context.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { t } from '#web/i18n/t.ts'

type FilterTextProps = {
  readonly collection: TypedCollection
  readonly findCollection: FindCollection
  /** The filter in force, and what is typed in its place. */
  readonly text: string
  readonly typed: string
  readonly refusal: FilterTextError | undefined
  readonly faultIn: (text: string) => QueryFault | undefined
  readonly onTyped: (text: string) => void
  readonly onApply: (text: string) => void
}

/** The filter as text: Enter applies it, Escape gives back the one in force, and what has a mistake waits. */
export function FilterText(props: FilterTextProps) {
  const { collection, findCollection, text, typed, refusal, faultIn, onTyped, onApply } = props
  const isChanged = typed.trim() !== text.trim()
  // What the server has against it is told of nothing but the very filter it was asked.
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
