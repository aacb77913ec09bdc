import { type ComponentType, Suspense } from 'react'
import { type Field, FIELD_KINDS, type FieldKind } from '#domain/fields/field.ts'
import { toClientValue } from '#web/shared/fields/client-value.ts'
import type { InputProps } from './field-kind.ts'
import { FIELD_KIND_UI } from './field-kinds.ts'

export type FieldInputProps = Omit<InputProps<FieldKind>, 'field' | 'value' | 'onChange' | 'label'> & {
  readonly field: Field
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  /** Defaults to the field's label. */
  readonly label?: string
}

// The inputs are in this module's chunk or one that pages load with it, so rendering never waits for them.
for (const kind of FIELD_KINDS) void FIELD_KIND_UI[kind].Input.preload()

export function FieldInput({ field, value, label, ...rest }: FieldInputProps) {
  // The registry maps each kind to its own input, but TypeScript can't correlate the two when indexing by a union.
  const Input = FIELD_KIND_UI[field.kind].Input as ComponentType<FieldInputProps>
  return (
    <Suspense fallback={null}>
      <Input field={field} value={toClientValue(field.kind, value)} label={label ?? field.label} {...rest} />
    </Suspense>
  )
}
