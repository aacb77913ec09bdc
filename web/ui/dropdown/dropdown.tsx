import { Checkbox, type ComboboxItem, type ComboboxParsedItem, Pill } from '@mantine/core'
import { type ReactNode, useId, useMemo, useState } from 'react'
import { CREATE_VALUE, normalizeForSearch } from './option-list.ts'
import { type DropdownGroup, type DropdownOption, HueDot, OptionMark, renderOption } from './option.tsx'
import { MultiSelect, Select } from './select.tsx'
import { useLatest } from '#web/ui/browser/use-latest.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import './dropdown.css'

type DropdownData = {
  readonly rows: ComboboxParsedItem[]
  readonly byValue: ReadonlyMap<string, DropdownOption>
}

function rowOf(option: DropdownOption): ComboboxItem {
  return { value: option.value, label: option.label, ...(option.disabled && { disabled: true }) }
}

/** Converts options and groups to Mantine's format. Duplicate values are dropped, because Mantine throws on them. */
function dropdownData(options: readonly (DropdownOption | DropdownGroup)[]): DropdownData {
  const byValue = new Map<string, DropdownOption>()
  const rows: ComboboxParsedItem[] = []

  const takeNew = (option: DropdownOption) => {
    if (byValue.has(option.value)) return false
    byValue.set(option.value, option)
    return true
  }

  for (const option of options) {
    if ('group' in option) rows.push({ group: option.group, items: option.options.filter(takeNew).map(rowOf) })
    else if (takeNew(option)) rows.push(rowOf(option))
  }
  return { rows, byValue }
}

function newOptionText(search: string, data: DropdownData): string | undefined {
  const text = search.trim()
  if (!text) return undefined
  const folded = normalizeForSearch(text)
  for (const option of data.byValue.values()) if (normalizeForSearch(option.label) === folded) return undefined
  return text
}

function createRow(text: string): ComboboxItem {
  return { value: CREATE_VALUE, label: UI_TEXTS.dropdown.create(text) }
}

type CommonProps = {
  /** Visible label. If there isn't enough space for one, set `ariaLabel` instead. */
  readonly label?: ReactNode
  readonly ariaLabel?: string
  readonly description?: ReactNode
  readonly error?: ReactNode
  readonly placeholder?: string
  readonly required?: boolean
  readonly disabled?: boolean
  readonly readOnly?: boolean
  readonly autoFocus?: boolean
  readonly size?: 'xs' | 'sm'
  /** Options in order, optionally grouped. At most 1,000 are shown in total. */
  readonly options: readonly (DropdownOption | DropdownGroup)[]
  /** Whether a button can clear the value. Defaults to true for fields that aren't required. */
  readonly clearable?: boolean
  /**
   * Whether typing filters the list. Enabled by default if there are more than seven options, or if options can be
   * created.
   */
  readonly searchable?: boolean
  /** Creates an option from the typed text and resolves to its value, or to undefined if it is rejected. */
  readonly onCreate?: (text: string) => Promise<string | undefined> | string | undefined
  readonly onBlur?: () => void
}

export type SingleDropdownProps = CommonProps & {
  readonly multiple?: false
  readonly value: string | null
  readonly onChange: (value: string | null) => void
}

export type MultipleDropdownProps = CommonProps & {
  readonly multiple: true
  readonly value: readonly string[]
  readonly onChange: (value: string[]) => void
  readonly max?: number
}

const SEARCHABLE_FROM = 8

/** Selects from options that are all available on the client; otherwise use `SearchDropdown`. */
export function Dropdown(props: SingleDropdownProps | MultipleDropdownProps) {
  return props.multiple ? <MultipleDropdown {...props} /> : <SingleDropdown {...props} />
}

/** `value` is the one whose label the input contains from the start, so that it can be selected on focus. */
function useDropdown(props: CommonProps, value: string | null = null) {
  const { options, onCreate } = props
  const data = useMemo(() => dropdownData(options), [options])
  const [search, setSearch] = useState(() => (value === null ? '' : (data.byValue.get(value)?.label ?? '')))
  const newText = onCreate && newOptionText(search, data)
  const rows = useMemo(() => (newText ? [...data.rows, createRow(newText)] : data.rows), [data, newText])
  const create = (take: (value: string) => void) => {
    if (newText) void Promise.resolve(onCreate?.(newText)).then((value) => value !== undefined && take(value))
  }

  return {
    data,
    create,
    inputProps: {
      ...inputPropsOf(props, data),
      data: rows,
      searchValue: search,
      // The “create” row isn't an option, so its label must not be used as input text.
      onSearchChange: (text: string) => setSearch(newText && text === createRow(newText).label ? '' : text),
    },
  }
}

function inputPropsOf(props: CommonProps, data: DropdownData) {
  const { label, ariaLabel, description, error, placeholder, size = 'sm', autoFocus, onBlur } = props
  return {
    label,
    description,
    error,
    size,
    ...(ariaLabel !== undefined && { 'aria-label': ariaLabel }),
    ...(placeholder !== undefined && { placeholder }),
    ...(autoFocus && { 'data-autofocus': true, autoFocus }),
    ...(onBlur && { onBlur }),
    ...behaviourOf(props, data),
  }
}

function behaviourOf(props: CommonProps, data: DropdownData) {
  const { required = false, disabled = false, readOnly = false, clearable = !required, onCreate } = props
  const isLong = data.byValue.size >= SEARCHABLE_FROM
  return {
    required,
    disabled,
    readOnly,
    clearable: clearable && !readOnly,
    // Short lists without search don't open on focus, so a short list with an input for creating options doesn't
    // either.
    openOnFocus: isLong || onCreate === undefined,
    searchable: props.searchable ?? (isLong || onCreate !== undefined),
  }
}

function SingleDropdown(props: SingleDropdownProps) {
  const { value, onChange } = props
  const { data, create, inputProps } = useDropdown(props, value)
  const chosen = value === null ? undefined : data.byValue.get(value)
  const latest = useLatest(onChange)

  const change = (next: string | null) => {
    if (next === CREATE_VALUE) create((made) => latest.current(made))
    else onChange(next)
  }

  return (
    <Select
      {...inputProps}
      value={value}
      onChange={change}
      // Selects the input's text on focus, so that the list is filtered by typed text instead of the selected label.
      {...(inputProps.searchable && { onFocus: ({ currentTarget }) => selectSoon(currentTarget) })}
      {...((chosen?.hue !== undefined || chosen?.icon) && {
        leftSection: <OptionMark option={chosen} />,
        leftSectionWidth: 28,
      })}
      renderOption={(rendered) => renderOption(rendered, data.byValue.get(rendered.option.value))}
    />
  )
}

/** Repeated after a frame unless text was typed, because the browser places the cursor after a click. */
function selectSoon(input: HTMLInputElement): void {
  const before = input.value
  input.select()
  requestAnimationFrame(() => {
    if (input.value === before) input.select()
  })
}

function MultipleDropdown(props: MultipleDropdownProps) {
  const { value, onChange, max } = props
  const { data, create, inputProps } = useDropdown(props)
  // The values may change before the option is created.
  const latest = useLatest(props)

  const change = (next: readonly string[]) => {
    const kept = next.filter((one) => one !== CREATE_VALUE)
    if (kept.length < next.length) create((made) => latest.current.onChange([...latest.current.value, made]))
    else onChange(kept)
  }

  return (
    <MultiSelect
      {...inputProps}
      value={[...value]}
      onChange={change}
      {...(max !== undefined && { maxValues: max })}
      hidePickedOptions={false}
      renderOption={(rendered) => renderOption(rendered, data.byValue.get(rendered.option.value))}
      renderPill={({ option, onRemove, disabled }) => {
        const known = data.byValue.get(String(option.value))
        return (
          <Pill
            className="dropdown-pill"
            withRemoveButton={!disabled && !props.readOnly}
            {...(onRemove && { onRemove })}
            {...(disabled && { disabled })}
          >
            {known?.hue !== undefined && <HueDot hue={known.hue} />}
            {known?.label ?? option.label}
          </Pill>
        )
      }}
    />
  )
}

const MAX_INLINE = 12

type MultiPickProps = {
  readonly label: string
  readonly description?: ReactNode
  readonly placeholder: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly value: readonly string[]
  readonly onChange: (value: string[]) => void
}

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
