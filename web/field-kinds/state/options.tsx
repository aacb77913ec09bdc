import { t } from '#web/i18n/t.ts'
import type { OptionsProps } from '#web/field-kinds/field-kind.ts'
import { SelectOptionsForm } from '#web/field-kinds/select/options.tsx'

/** Edits the available statuses; new records start with the first one unless there is a default value. */
export function StateOptionsForm(props: OptionsProps<'state'>) {
  return <SelectOptionsForm {...props} label={t('Statuses')} error={props.errorAt('options.choices')} />
}
