import { Combobox, Loader, Pill, PillsInput, useCombobox } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, type Ref, useId, useLayoutEffect, useRef, useState } from 'react'
import { DROPDOWN } from '#domain/specification.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import { isCreateOption, pressSelectKey, useAnnounceOpen } from './option-list.ts'
import {
  type CreateOption,
  createOptions,
  cutOptionsText,
  type DropdownOption,
  foundPosition,
  HueDot,
  noOptionsText,
  OptionRow,
  type OptionSearch,
  type OptionSearchState,
  useOptionSearch,
} from './option.tsx'

type CommonProps = {
  readonly label?: ReactNode
  readonly ariaLabel?: string
  readonly description?: ReactNode
  readonly error?: ReactNode
  readonly placeholder?: string
  readonly required?: boolean
  readonly disabled?: boolean
  readonly readOnly?: boolean
  readonly size?: 'xs' | 'sm'
  /** Must be a stable function; otherwise every render starts a new search. */
  readonly search: OptionSearch
  readonly onCreate?: CreateOption | undefined
}

/** A single-value dropdown with server-side search. The value includes its label. */
export type SingleSearchDropdownProps = CommonProps & {
  readonly multiple?: false
  readonly value: DropdownOption | null
  readonly onChange: (value: DropdownOption | null) => void
}

export type MultipleSearchDropdownProps = CommonProps & {
  readonly multiple: true
  readonly value: readonly DropdownOption[]
  readonly onChange: (value: DropdownOption[]) => void
}

/** Selects options that are available only on the server, such as records, users or more than a thousand options. */
export function SearchDropdown(props: SingleSearchDropdownProps | MultipleSearchDropdownProps) {
  if (props.multiple) return <SearchField {...props} values={props.value} onValues={props.onChange} />
  const { value, onChange } = props
  return (
    <SearchField
      {...props}
      isSingle
      values={value ? [value] : []}
      onValues={(values) => onChange(values.at(-1) ?? null)}
    />
  )
}

type FieldProps = CommonProps & {
  readonly isSingle?: boolean
  readonly values: readonly DropdownOption[]
  readonly onValues: (values: DropdownOption[]) => void
}

function useSearchField(props: FieldProps) {
  const { values, onValues, isSingle } = props
  const [text, setText] = useState('')
  const combobox = useCombobox({
    onDropdownOpen: useAnnounceOpen(),
    onDropdownClose: () => {
      combobox.resetSelectedOption()
      setText('')
    },
  })
  const found = useOptionSearch(props.search, text, combobox.dropdownOpened)

  const remove = (value: string) => onValues(values.filter((one) => one.value !== value))

  const creatable = props.onCreate ? createOptions(found, text) : []
  const { isCreating, create } = useCreating(props)

  const choose = (value: string) => {
    if (isCreateOption({ value })) {
      combobox.closeDropdown()
      void create(text.trim())
    }
    const option = found.options.find((one) => one.value === value)
    if (!option) return
    setText('')
    if (isSingle) {
      onValues([option])
      combobox.closeDropdown()
    } else if (values.some((one) => one.value === value)) remove(value)
    else onValues([...values, option])
  }

  const type = (next: string) => {
    setText(next)
    combobox.openDropdown()
    combobox.updateSelectedOptionIndex()
  }

  return { combobox, found, creatable, isCreating, text, type, choose, remove }
}

/** Adds the created option to the current values, which may have changed since the request. */
function useCreating({ values, onValues, isSingle, onCreate }: FieldProps) {
  const [isCreating, setCreating] = useState(false)
  const latest = useRef({ values, onValues })
  useLayoutEffect(() => {
    latest.current = { values, onValues }
  })
  const create = async (text: string) => {
    setCreating(true)
    const option = await onCreate?.(text)
    setCreating(false)
    if (option) latest.current.onValues(isSingle ? [option] : [...latest.current.values, option])
  }
  return { isCreating, create }
}

function SearchField(props: FieldProps) {
  const { values, isSingle = false, disabled = false, readOnly = false } = props
  const { combobox, found, creatable, isCreating, text, type, choose, remove } = useSearchField(props)
  const labelId = useId()
  const canChange = !disabled && !readOnly
  const isFull = isSingle && values.length > 0

  const pressKey = (event: KeyboardEvent<HTMLInputElement>) => {
    pressSelectKey(event)
    const last = values.at(-1)
    if (event.key !== 'Backspace' || text !== '' || !last || !canChange) return
    event.preventDefault()
    remove(last.value)
  }

  return (
    <Combobox store={combobox} onOptionSubmit={choose} keepMounted={false} offset={4} transitionProps={{ duration: 0 }}>
      <Combobox.DropdownTarget>
        <SearchInput
          {...props}
          labelId={labelId}
          isSearching={isCreating || (combobox.dropdownOpened && found.status === 'searching')}
        >
          {values.map((option) => (
            <ChosenPill
              key={option.value}
              option={option}
              {...(canChange && { onRemove: () => remove(option.value) })}
            />
          ))}
          <Combobox.EventsTarget withExpandedAttribute>
            <PillsInput.Field
              value={text}
              {...(props.ariaLabel !== undefined && { 'aria-label': props.ariaLabel })}
              {...(values.length === 0 && props.placeholder !== undefined && { placeholder: props.placeholder })}
              {...(isFull && { miw: 24 })}
              disabled={disabled}
              readOnly={readOnly}
              onChange={(event) => type(event.currentTarget.value)}
              onClick={() => canChange && combobox.openDropdown()}
              onBlur={() => combobox.closeDropdown()}
              onKeyDown={pressKey}
            />
          </Combobox.EventsTarget>
        </SearchInput>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown>
        <FoundOptions {...{ found, creatable, labelId }} chosen={values} ariaLabel={props.ariaLabel} />
      </Combobox.Dropdown>
    </Combobox>
  )
}

type SearchInputProps = FieldProps & {
  readonly isSearching: boolean
  readonly labelId: string
  readonly children: ReactNode
  /** Set by the surrounding target, which positions the list. */
  readonly ref?: Ref<HTMLDivElement>
}

function SearchInput(props: SearchInputProps) {
  const { label, description, error, size = 'sm', required = false, disabled = false, isSearching, children } = props
  return (
    <PillsInput
      {...(props.ref !== undefined && { ref: props.ref })}
      label={label}
      labelProps={{ id: props.labelId }}
      description={description}
      error={error}
      size={size}
      required={required}
      disabled={disabled}
      pointer={false}
      rightSection={isSearching ? <Loader size={14} role="status" aria-label={UI_TEXTS.dropdown.loading} /> : null}
    >
      <Pill.Group>{children}</Pill.Group>
    </PillsInput>
  )
}

function ChosenPill({ option, onRemove }: { option: DropdownOption; onRemove?: () => void }) {
  return (
    <Pill
      className="dropdown-pill"
      withRemoveButton={onRemove !== undefined}
      removeButtonProps={{ 'aria-label': UI_TEXTS.dropdown.remove(option.label) }}
      {...(onRemove && { onRemove })}
    >
      {option.hue !== undefined && <HueDot hue={option.hue} />}
      {option.label}
    </Pill>
  )
}

function FoundOptions(props: {
  found: OptionSearchState
  creatable: readonly DropdownOption[]
  chosen: readonly DropdownOption[]
  ariaLabel: string | undefined
  labelId: string
}) {
  const { found, creatable, chosen, ariaLabel, labelId } = props
  const shown = found.options.slice(0, DROPDOWN.optionLimit)
  const isChosen = (option: DropdownOption) => chosen.some((one) => one.value === option.value)
  const cutText = cutOptionsText(found, shown.length)

  return (
    <>
      <Combobox.Options
        mah={DROPDOWN.maxListHeightPx}
        style={{ overflowY: 'auto' }}
        {...(ariaLabel === undefined ? { labelledBy: labelId } : { 'aria-label': ariaLabel })}
      >
        {shown.map((option, at) => (
          <Combobox.Option
            key={option.value}
            {...foundPosition(at, found, creatable.length)}
            value={option.value}
            active={isChosen(option)}
            disabled={option.disabled ?? false}
          >
            <OptionRow option={option} checked={isChosen(option)} />
          </Combobox.Option>
        ))}
        {shown.length === 0 && creatable.length === 0 && <Combobox.Empty>{noOptionsText(found.status)}</Combobox.Empty>}
        {creatable.map(({ value, label }) => (
          <Combobox.Option
            key={value}
            {...foundPosition(found.total, found, creatable.length)}
            value={value}
            className="option-create"
          >
            {label}
          </Combobox.Option>
        ))}
      </Combobox.Options>
      <div className="option-cut" role="status">
        {cutText}
      </div>
    </>
  )
}
