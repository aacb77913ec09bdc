import { ActionIcon, Button, Menu, TextInput } from '@mantine/core'
import { type RefObject, useEffect, useRef } from 'react'
import { OPTION_COLORS, type SelectOption, type OptionColor } from '#domain/fields/field.ts'
import { NEW_OPTION_COLOR } from '#domain/fields/field-options.ts'
import { IconGripVertical, IconPlus } from '#web/ui/icons/frame.ts'
import { IconX } from '#web/ui/icons/later.ts'
import { optionColors } from '#web/ui/theme/colors/colors.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { t } from '#web/i18n/t.ts'
import type { OptionsProps } from '#web/field-kinds/field-kind.ts'
import { type Reorder, useReorder } from '#web/shared/reorder/use-reorder.ts'
import './select.css'

/** ID prefix of a new option, which is sent without an ID. */
export const NEW_OPTION = 'new-'

function newOptionId(choices: readonly Pick<SelectOption, 'id'>[]): string {
  let at = choices.length
  while (choices.some(({ id }) => id === `${NEW_OPTION}${at}`)) at += 1
  return `${NEW_OPTION}${at}`
}

export const isNewOption = (id: string): boolean => id.startsWith(NEW_OPTION)

type SelectOptionsFormProps = OptionsProps<'select'> & {
  /** Overrides the default label. */
  readonly label?: string
  readonly error?: string | undefined
}

/** Edits the names, colors and order of options; the order also defines how records are sorted. */
export function SelectOptionsForm({ options, onChange, errorAt, label = t('Options'), error }: SelectOptionsFormProps) {
  const { choices } = options
  const put = (next: readonly SelectOption[]) => onChange({ choices: next })
  const reorder = useReorder({
    items: choices,
    keyOf: ({ id }) => id,
    nameOf: ({ name }) => name || 'choice',
    onReorder: put,
  })
  const fresh = useFocusOnNew(choices)

  const add = () => put([...choices, { id: newOptionId(choices), name: '', color: NEW_OPTION_COLOR }])
  return (
    <WithHelp setting="field-choices">
      <div className="choices" role="group" aria-label={label}>
        <span className="choices-label">{label}</span>
        <ul ref={reorder.listRef}>
          {reorder.order.map((choice, at) => (
            <OptionRow
              key={choice.id}
              choice={choice}
              at={at}
              reorder={reorder}
              inputRef={choice.id === fresh.id ? fresh.ref : null}
              error={errorAt(`options.choices.${at}`) ?? errorAt(`options.choices.${at}.name`)}
              onChange={(next) => put(choices.map((each) => (each.id === choice.id ? next : each)))}
              onRemove={() => put(choices.filter((each) => each !== choice))}
              onNext={add}
            />
          ))}
        </ul>
        <Button size="xs" variant="subtle" leftSection={<IconPlus size={14} stroke={1.75} />} onClick={add}>
          {t('Add option')}
        </Button>
        {error !== undefined && (
          <p role="alert" className="choices-error">
            {error}
          </p>
        )}
        <span role="status" className="visually-hidden">
          {reorder.announcement}
        </span>
      </div>
    </WithHelp>
  )
}

/** Edits the available statuses; new records start with the first one unless there is a default value. */
export function StateOptionsForm(props: OptionsProps<'state'>) {
  return <SelectOptionsForm {...props} label={t('Statuses')} error={props.errorAt('options.choices')} />
}

type OptionRowProps = {
  readonly choice: SelectOption
  readonly at: number
  readonly reorder: Reorder<SelectOption>
  readonly inputRef: RefObject<HTMLInputElement | null> | null
  readonly error: string | undefined
  readonly onChange: (choice: SelectOption) => void
  readonly onRemove: () => void
  readonly onNext: () => void
}

function OptionRow({ choice, at, reorder, inputRef, error, onChange, onRemove, onNext }: OptionRowProps) {
  return (
    <li {...reorder.itemProps(choice)}>
      <button {...reorder.handleProps(choice)}>
        <IconGripVertical size={16} stroke={1.5} aria-hidden />
      </button>
      <ColorMenu choice={choice} onColor={(color) => onChange({ ...choice, color })} />
      <TextInput
        ref={inputRef}
        aria-label={t('Name of option {at}', { at: at + 1 })}
        value={choice.name}
        error={error}
        onChange={({ currentTarget }) => onChange({ ...choice, name: currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          if (choice.name.trim() !== '') onNext()
        }}
      />
      <ActionIcon
        aria-label={choice.name === '' ? t('Remove this option') : t('Remove {name}', { name: choice.name })}
        onClick={onRemove}
      >
        <IconX size={16} stroke={1.5} />
      </ActionIcon>
    </li>
  )
}

function useFocusOnNew(choices: readonly SelectOption[]) {
  const ref = useRef<HTMLInputElement>(null)
  const last = choices.at(-1)
  const id = last && isNewOption(last.id) && last.name === '' ? last.id : undefined
  useEffect(() => {
    if (id !== undefined) ref.current?.focus()
  }, [id])
  return { ref, id }
}

function ColorMenu({
  choice,
  onColor,
}: {
  readonly choice: SelectOption
  readonly onColor: (color: OptionColor) => void
}) {
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <ActionIcon
          aria-label={t('Color of {name}: {color}', { name: choice.name || t('this option'), color: choice.color })}
        >
          <Swatch color={choice.color} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown className="color-menu">
        {OPTION_COLORS.map((color) => (
          <Menu.RadioItem
            key={color}
            value={color}
            checked={color === choice.color}
            closeMenuOnClick
            rightSection={<Swatch color={color} />}
            onChange={() => onColor(color)}
          >
            {color}
          </Menu.RadioItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

const Swatch = ({ color }: { readonly color: OptionColor }) => (
  <span className="choice-swatch" style={{ background: optionColors(color).dot }} aria-hidden />
)
