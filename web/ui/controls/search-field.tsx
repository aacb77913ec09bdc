import { TextInput } from '@mantine/core'
import { IconSearch } from '#web/ui/icons/start.ts'

type SearchFieldProps = {
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
  readonly hasFocus?: boolean
}

export function SearchField({ label, value, onChange, hasFocus = false }: SearchFieldProps) {
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} stroke={1.5} aria-hidden />}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data-autofocus={hasFocus || undefined}
      autoFocus={hasFocus}
    />
  )
}
