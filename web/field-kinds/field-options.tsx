import { type ComponentType, Suspense } from 'react'
import type { OptionsInput } from '#api/collections.ts'
import type { OptionsDraft } from '#domain/fields/field-options.ts'
import { type Field, FIELD_KINDS, type FieldKind } from '#domain/fields/field.ts'
import type { OptionsProps } from './field-kind.ts'
import { FIELD_KIND_UI } from './field-kinds.ts'
import { isNewOption } from './select/options.tsx'

export type AnyOptions = Field['options']

type FieldOptionsFormProps = Omit<OptionsProps<FieldKind>, 'options' | 'onChange'> & {
  readonly kind: FieldKind
  readonly options: AnyOptions
  readonly onChange: (options: AnyOptions) => void
}

for (const kind of FIELD_KINDS) void FIELD_KIND_UI[kind].OptionsForm?.preload()

export function FieldOptionsForm({ kind, ...rest }: FieldOptionsFormProps) {
  // The registry maps each kind to its own form, but TypeScript can't correlate the two when indexing by a union.
  const Form = FIELD_KIND_UI[kind].OptionsForm as ComponentType<Omit<FieldOptionsFormProps, 'kind'>> | null
  return (
    Form && (
      <Suspense fallback={null}>
        <Form {...rest} />
      </Suspense>
    )
  )
}

/** Sends new options without an ID and omits options without a name. */
export function wireOptions(options: AnyOptions): OptionsInput {
  const { choices, accept, fields, path, filter, ...others } = enteredOptions(options)
  return {
    ...others,
    ...(path && { path: [...path] }),
    // Filters of fields are trees.
    ...(filter !== undefined && { filter: filter as Exclude<OptionsInput['filter'], undefined> }),
    ...(accept && { accept: [...accept] }),
    ...(fields && { fields: [...fields] }),
    ...(choices && { choices: choices.filter(({ name }) => name.trim() !== '').map(wireOption) }),
  }
}

/** The results of calculated fields are inferred by the server. */
function enteredOptions(options: AnyOptions): OptionsDraft {
  if ('formula' in options) return { formula: options.formula }
  if (!('path' in options)) return options
  const { result: _, inputs: __, number: ___, ...entered } = options
  return entered
}

const wireOption = ({ id, name, color }: NonNullable<OptionsDraft['choices']>[number]) => ({
  ...(id !== undefined && !isNewOption(id) && { id }),
  name,
  ...(color && { color }),
})
