import { useMemo } from 'react'
import type { SelectKind, Field } from '#domain/fields/field.ts'
import type { DropdownOption } from '#web/ui/dropdown/option.tsx'

/** A field's choices as a dropdown offers them, each in its colour. */
export const useSelectOptions = ({ options: { choices } }: Field<SelectKind>): readonly DropdownOption[] =>
  useMemo(() => choices.map(({ name, color }) => ({ value: name, label: name, hue: color })), [choices])
