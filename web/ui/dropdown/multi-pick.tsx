import { Checkbox } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { Dropdown } from './dropdown.tsx'
import './dropdown.css'

/** Up to so many are all in sight; more are found in a list that opens. */
const MAX_INLINE = 12

type MultiPickProps = {
  readonly label: string
  readonly description?: ReactNode
  /** Said in a list that opens, as long as nothing is chosen. */
  readonly placeholder: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly value: readonly string[]
  readonly onChange: (value: string[]) => void
}

/** Chooses several of what is known: each to be ticked where they are few. */
export function MultiPick({ label, description, placeholder, options, value, onChange }: MultiPickProps) {
  const descriptionId = useId()
  if (options.length > MAX_INLINE) {
    return (
      <Dropdown
        multiple
        label={label}
        description={description}
        placeholder={value.length === 0 ? placeholder : ''}
        options={options}
        value={value}
        onChange={onChange}
      />
    )
  }
  const toggled = (one: string, isChosen: boolean) =>
    options.map((option) => option.value).filter((each) => (each === one ? isChosen : value.includes(each)))
  return (
    <fieldset className="pick-several" {...(description && { 'aria-describedby': descriptionId })}>
      <legend>{label}</legend>
      {description && <p id={descriptionId}>{description}</p>}
      <div>
        {options.map((option) => (
          <Checkbox
            key={option.value}
            label={option.label}
            checked={value.includes(option.value)}
            onChange={({ currentTarget }) => onChange(toggled(option.value, currentTarget.checked))}
          />
        ))}
      </div>
    </fieldset>
  )
}
