import { t } from '#web/i18n/t.ts'
import type { OptionsProps } from '#web/field-kinds/field-kind.ts'
import { SelectOptionsForm } from '#web/field-kinds/select/options.tsx'

/** The statuses of a record; new records start with the first unless there is a default. */
export function StateOptionsForm(props: OptionsProps<'state'>) {
  return <SelectOptionsForm {...props} label={t('Statuses')} error={props.errorAt('options.choices')} />
}
