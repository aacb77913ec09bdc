import type { ReactNode } from 'react'
import type { FieldKind } from '#domain/fields/field.ts'
import type { InputProps } from '#web/field-kinds/field-kind.ts'

type Framed = Omit<InputProps<FieldKind>, 'field' | 'value' | 'onChange'> & {
  readonly field: { readonly required: boolean }
}

export type InputFrameProps = {
  readonly label: string
  readonly description: ReactNode
  readonly error: ReactNode
  readonly required: boolean
}

export const inputFrameProps = ({ field, label, description, error }: Framed): InputFrameProps => ({
  label,
  description,
  error,
  required: field.required,
})

export const textInputProps = (props: Framed) => ({
  ...inputFrameProps(props),
  readOnly: props.readOnly ?? false,
  autoFocus: props.autoFocus ?? false,
  onBlur: () => props.onDone?.(),
})
