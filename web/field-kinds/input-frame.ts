import type { ReactNode } from 'react'
import type { FieldKind } from '#domain/fields/field.ts'
import type { InputProps } from '#web/field-kinds/field-kind.ts'

/** As much of an input as its surroundings depend on. */
type Framed = Omit<InputProps<FieldKind>, 'field' | 'value' | 'onChange'> & {
  readonly field: { readonly required: boolean }
}

/** What every input says around its value. */
export type InputFrameProps = {
  readonly label: string
  readonly description: ReactNode
  readonly error: ReactNode
  readonly required: boolean
}

/** The label, help and error of an input, as the kit's inputs take them. */
export const inputFrameProps = ({ field, label, description, error }: Framed): InputFrameProps => ({
  label,
  description,
  error,
  required: field.required,
})

/** The same with what an input that one can type into needs. */
export const textInputProps = (props: Framed) => ({
  ...inputFrameProps(props),
  readOnly: props.readOnly ?? false,
  autoFocus: props.autoFocus ?? false,
  onBlur: () => props.onDone?.(),
})
