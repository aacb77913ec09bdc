import { t } from '#web/i18n/t.ts'
import { LimitInput, withOption } from '#web/field-kinds/limit-input.tsx'
import type { OptionsProps } from '#web/field-kinds/field-kind.ts'

export function NumberOptionsForm({ options, onChange, errorAt }: OptionsProps<'number'>) {
  const { min, max, decimals } = options
  return (
    <>
      <div className="option-pair">
        <LimitInput
          label={t('Minimum')}
          isAnyNumber
          value={min}
          onChange={(value) => onChange(withOption(options, 'min', value))}
          error={errorAt('options.min')}
        />
        <LimitInput
          label={t('Maximum')}
          isAnyNumber
          value={max}
          onChange={(value) => onChange(withOption(options, 'max', value))}
          error={errorAt('options.max')}
        />
      </div>
      <LimitInput
        label={t('Decimal places')}
        description={t('0 for whole numbers')}
        value={decimals}
        onChange={(value) => onChange(withOption(options, 'decimals', value))}
        error={errorAt('options.decimals')}
      />
    </>
  )
}
