import type { OptionsProps } from '#web/field-kinds/value-highlights.tsx'
import { SelectOptionsForm } from '#web/field-kinds/select/options.tsx'

/** The choices: their names, colours and order, which is the order they are sorted by. */
export function MultiSelectOptionsForm(props: OptionsProps<'multi-select'>) {
  return <SelectOptionsForm {...props} />
}
