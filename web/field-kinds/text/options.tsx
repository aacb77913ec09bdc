import { TextInput } from '@mantine/core'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { t } from '#web/i18n/t.ts'
import { LimitInput, withOption } from '#web/field-kinds/limit-input.tsx'
import type { OptionsProps } from '#web/field-kinds/field-kind.ts'

export function TextOptionsForm({ options, onChange, errorAt }: OptionsProps<'text'>) {
  const { min, max, pattern = '' } = options
  return (
    <>
      <div className="option-pair">
        <LimitInput
          label={t('Minimum length')}
          value={min}
          onChange={(value) => onChange(withOption(options, 'min', value))}
          error={errorAt('options.min')}
        />
        <LimitInput
          label={t('Maximum length')}
          value={max}
          onChange={(value) => onChange(withOption(options, 'max', value))}
          error={errorAt('options.max')}
        />
      </div>
      <WithHelp setting="field-pattern">
        <TextInput
          label={t('Pattern')}
          description={t('A regular expression the whole text must match')}
          placeholder="[A-Z]{2}-\d{4}"
          spellCheck={false}
          className="code-input"
          value={pattern}
          onChange={({ currentTarget }) =>
            onChange(withOption(options, 'pattern', currentTarget.value === '' ? undefined : currentTarget.value))
          }
          error={errorAt('options.pattern')}
        />
      </WithHelp>
    </>
  )
}
