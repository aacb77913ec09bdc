import { useState } from 'react'
import type { QueryFault } from '#domain/query/query-context.ts'
import { t } from '#web/i18n/t.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { FilterInput } from './filter-input.tsx'
import type { FindCollection } from '#web/shared/conditions/path-fields.ts'
import { useCompletionContext } from './use-completion-context.ts'

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
export function ConditionText({ label, collection, findCollection, text, faultIn, onChange }: ConditionTextProps) {
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
