import { TagsInput as MantineTagsInput, type TagsInputProps } from '@mantine/core'
import { useAnnounceOpen } from './option-list.ts'

/** Mantine's target tells screen readers that the list is open. */
export function TagsInput(props: TagsInputProps) {
  const tell = useAnnounceOpen()
  const open = () => {
    tell()
    props.onDropdownOpen?.()
  }
  return <MantineTagsInput {...props} onDropdownOpen={open} />
}
