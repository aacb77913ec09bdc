import { Switch, TextInput } from '@mantine/core'
import { MAX_UNIT_LENGTH, NUMBER_FORMATS, type NumberFormat, type NumberOptions } from '#domain/fields/field.ts'
import { DEFAULT_CURRENCY, DEFAULT_STARS, formatOf } from '#domain/fields/number-format.ts'
import type { OptionsProps } from '#web/field-kinds/field-kind.ts'
import { LimitInput, withOption } from '#web/field-kinds/limit-input.tsx'
import { LOCALE } from '#web/i18n/locale.ts'
import { t } from '#web/i18n/t.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { formatNumberField } from '#web/shared/formatting/format-number-field.ts'
import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'

const FORMAT_LABELS: { readonly [Format in NumberFormat]: string } = {
  number: t('Number'),
  currency: t('Currency'),
  percent: t('Percent'),
  unit: t('Number with a unit'),
  duration: t('Duration'),
  rating: t('Rating'),
  progress: t('Progress bar'),
}

/** Example value shown in the preview of each format. */
const EXAMPLES: { readonly [Format in NumberFormat]: number } = {
  number: 1234.5,
  currency: 1234.5,
  percent: 25,
  unit: 1234.5,
  duration: 5400,
  rating: 3,
  progress: 60,
}

/** Drops the limits when the scale changes, because they apply only to the previous scale. */
function withFormat({ decimals, grouping, ...limits }: NumberOptions, format: NumberFormat): NumberOptions {
  const kept = {
    ...(decimals !== undefined && format !== 'rating' && { decimals }),
    ...(grouping !== undefined && { grouping }),
  }
  if (format === 'rating') return { format, max: DEFAULT_STARS }
  const { min, max } = formatOf(limits) === 'rating' ? {} : limits
  return {
    ...kept,
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(format !== 'number' && { format }),
    ...(format === 'currency' && { currency: DEFAULT_CURRENCY }),
    ...(format === 'unit' && { unit: '' }),
  }
}

export function NumberOptionsForm(props: OptionsProps<'number'>) {
  const { options, onChange } = props
  const format = formatOf(options)
  return (
    <>
      <WithHelp setting="number-format" isDescribed>
        <Dropdown
          label={t('Format')}
          clearable={false}
          options={NUMBER_FORMATS.map((value) => ({ value, label: FORMAT_LABELS[value] }))}
          value={format}
          onChange={(value) => {
            const next = NUMBER_FORMATS.find((each) => each === value)
            if (next && next !== format) onChange(withFormat(options, next))
          }}
        />
      </WithHelp>
      <FormatOptions {...props} />
      <p className="number-example">
        {t('Example: {example}', { example: formatNumberField(EXAMPLES[format], options) })}
      </p>
    </>
  )
}

function FormatOptions(props: OptionsProps<'number'>) {
  const { options, onChange, errorAt } = props
  const change = <Name extends keyof NumberOptions>(name: Name, value: NumberOptions[Name] | undefined) =>
    onChange(withOption(options, name, value))
  switch (formatOf(options)) {
    case 'rating':
      return (
        <LimitInput
          label={t('Stars')}
          unsaid={String(DEFAULT_STARS)}
          value={options.max}
          onChange={(value) => change('max', value)}
          error={errorAt('options.max')}
        />
      )
    case 'duration':
      return <RangeInputs {...props} description={t('In seconds')} />
    case 'currency':
      return (
        <>
          <CurrencyInput value={options.currency ?? null} onChange={(value) => change('currency', value)} />
          <DigitInputs {...props} />
        </>
      )
    case 'unit':
      return (
        <>
          <WithHelp setting="number-format" isDescribed>
            <TextInput
              label={t('Unit')}
              placeholder="kg"
              maxLength={MAX_UNIT_LENGTH}
              value={options.unit ?? ''}
              error={errorAt('options.unit')}
              onChange={({ currentTarget }) => change('unit', currentTarget.value)}
            />
          </WithHelp>
          <DigitInputs {...props} />
        </>
      )
    default:
      return <DigitInputs {...props} />
  }
}

function DigitInputs(props: OptionsProps<'number'>) {
  const { options, onChange, errorAt } = props
  return (
    <>
      <RangeInputs {...props} />
      <LimitInput
        label={t('Decimal places')}
        description={t('0 for whole numbers')}
        value={options.decimals}
        onChange={(value) => onChange(withOption(options, 'decimals', value))}
        error={errorAt('options.decimals')}
      />
      <WithHelp setting="number-format" isDescribed>
        <Switch
          label={t('Thousands separators')}
          checked={options.grouping !== false}
          onChange={({ currentTarget: { checked } }) =>
            onChange(withOption(options, 'grouping', checked ? undefined : false))
          }
        />
      </WithHelp>
    </>
  )
}

type RangeInputsProps = OptionsProps<'number'> & { readonly description?: string }

function RangeInputs({ options, onChange, errorAt, description }: RangeInputsProps) {
  const hint = description !== undefined && { description }
  return (
    <div className="option-pair">
      <LimitInput
        label={t('Minimum')}
        {...hint}
        isAnyNumber
        value={options.min}
        onChange={(value) => onChange(withOption(options, 'min', value))}
        error={errorAt('options.min')}
      />
      <LimitInput
        label={t('Maximum')}
        {...hint}
        isAnyNumber
        value={options.max}
        onChange={(value) => onChange(withOption(options, 'max', value))}
        error={errorAt('options.max')}
      />
    </div>
  )
}

type CurrencyInputProps = { readonly value: string | null; readonly onChange: (value: string | undefined) => void }

function CurrencyInput({ value, onChange }: CurrencyInputProps) {
  const names = new Intl.DisplayNames(LOCALE, { type: 'currency' })
  return (
    <WithHelp setting="number-format" isDescribed>
      <Dropdown
        label={t('Currency')}
        clearable={false}
        searchable
        options={Intl.supportedValuesOf('currency').map((code) => ({
          value: code,
          label: `${code} – ${names.of(code)}`,
        }))}
        value={value}
        onChange={(code) => onChange(code ?? undefined)}
      />
    </WithHelp>
  )
}
