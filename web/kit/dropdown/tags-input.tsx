import { TagsInput as MantineTagsInput, type TagsInputProps } from '@mantine/core'
import { useToldOpen } from './use-told-open.ts'

/** Mantine's own, which tells screen readers at once that its list is open. */
export function TagsInput(props: TagsInputProps) {
  const tell = useToldOpen()
  const open = () => {
    tell()
    props.onDropdownOpen?.()
  }
  return <MantineTagsInput {...props} onDropdownOpen={open} />
}
