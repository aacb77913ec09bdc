import { NativeSelect } from '@mantine/core'
import type { Field } from '#domain/fields/field.ts'
import { OPERATORS } from '#domain/query/filter.ts'
import { type ConditionDraft, operatorsFor, operatorWords, withOperator } from './condition-draft.ts'
import { ConditionValue } from './condition-value.tsx'

type OperatorAndValueProps = {
  readonly field: Field
  readonly draft: ConditionDraft
  readonly onChange: (draft: ConditionDraft) => void
}

/** What a condition on a field that is known asks of it. */
export function OperatorAndValue({ field, draft, onChange }: OperatorAndValueProps) {
  return (
    <>
      <NativeSelect
        className="condition-operator"
        size="xs"
        aria-label="Operator"
        value={draft.op}
        data={[...new Set([...operatorsFor(field), draft.op])].map((op) => ({
          value: op,
          label: operatorWords(op, field),
        }))}
        onChange={({ currentTarget }) => {
          const op = OPERATORS.find((known) => known === currentTarget.value)
          if (op !== undefined) onChange(withOperator(draft, op))
        }}
      />
      <div className="condition-value">
        <ConditionValue field={field} draft={draft} onValues={(values) => onChange({ ...draft, values })} />
      </div>
    </>
  )
}
