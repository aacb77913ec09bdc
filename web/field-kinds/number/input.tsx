import { Input, Rating, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { formatOf, topOf } from '#domain/fields/number-format.ts'
import { inputFrameProps, textInputProps, type InputProps } from '#web/field-kinds/field-kind.ts'
import { plural, t } from '#web/i18n/t.ts'
import { formatNumberField } from '#web/shared/formatting/format-number-field.ts'
import { parseValue } from '#domain/fields/kinds.ts'
import { LOCAL_FORMAT } from '#web/shared/formatting/local-format.ts'

export const NumberInput = (props: InputProps<'number'>) =>
  formatOf(props.field.options) === 'rating' ? <RatingInput {...props} /> : <NumberTextInput {...props} />

function RatingInput(props: InputProps<'number'>) {
  const { field, value, onChange, onDone, readOnly = false } = props
  const id = useId()
  return (
    <Input.Wrapper {...inputFrameProps(props)} id={id}>
      <Rating
        role="radiogroup"
        allowClear
        aria-label={props.label}
        aria-describedby={props.description ? `${id}-description` : undefined}
        count={topOf(field.options)}
        value={value ?? 0}
        readOnly={readOnly}
        getSymbolLabel={(stars) => plural(stars, '{n} star', '{n} stars')}
        onChange={(stars) => {
          onChange(stars === 0 ? null : stars)
          onDone?.()
        }}
      />
    </Input.Wrapper>
  )
}

/** A number input in the user's locale that reports invalid input instead of applying it. */
function NumberTextInput(props: InputProps<'number'>) {
  const { field, value, onChange, onFault = () => onChange(null), onDone, error } = props
  // The typed text; undefined if the input shows the stored value.
  const [typed, setTyped] = useState<string>()
  const read = typed === undefined ? undefined : parseValue(field, typed, LOCAL_FORMAT)
  const fault = read && !read.ok ? read.fault.message : undefined

  const type = (text: string) => {
    setTyped(text)
    const next = parseValue(field, text, LOCAL_FORMAT)
    if (next.ok) onChange(typeof next.value === 'number' ? next.value : null)
    else onFault(next.fault.message)
  }
  const leave = () => {
    if (fault === undefined) setTyped(undefined)
    onDone?.()
  }

  return (
    <TextInput
      {...textInputProps(props)}
      error={fault ?? error}
      inputMode="decimal"
      autoComplete="off"
      className="tabular"
      value={typed ?? (value === null ? '' : formatNumberField(value, field.options))}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onBlur={leave}
      onKeyDown={(event) => event.key === 'Enter' && leave()}
    />
  )
}

export function AutoNumberInput(props: InputProps<'auto-number'>) {
  const { value } = props
  return (
    <TextInput
      {...inputFrameProps(props)}
      required={false}
      readOnly
      className="tabular"
      value={value === null ? '' : String(value)}
      placeholder={t('Assigned when saved')}
    />
  )
}
