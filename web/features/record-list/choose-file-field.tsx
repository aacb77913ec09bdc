import { Menu } from '@mantine/core'
import { IconPaperclip } from '#web/ui/icons/general.ts'
import { describeAdding, type DroppedFiles } from '#web/shared/uploads/send-dropped-files.ts'

export function ChooseFileField({ asking, onClose }: { readonly asking: DroppedFiles; readonly onClose: () => void }) {
  const { files, fields, choose, xPx, yPx } = asking
  return (
    <Menu opened onClose={onClose} position="bottom-start" width={240} withinPortal returnFocus={false} trapFocus>
      <Menu.Target>
        <span className="cell-menu-place" style={{ left: xPx, top: yPx }} aria-hidden />
      </Menu.Target>
      <Menu.Dropdown aria-label={describeAdding(files)}>
        <Menu.Label>{describeAdding(files)}</Menu.Label>
        {fields.map((field) => (
          <Menu.Item
            key={field.id}
            leftSection={<IconPaperclip size={16} stroke={1.5} aria-hidden />}
            onClick={() => choose(field)}
          >
            {field.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
