import type { ReactNode } from 'react'
import { type Later, later, useLater } from '../later.ts'
import { type PopupButtonProps, usePopup } from './use-popup.ts'

const frames = later(() => import('./popup-frames.tsx'))

type MenuButtonProps<Part> = {
  readonly button: (props: PopupButtonProps) => ReactNode
  /** Where the items come from. */
  readonly part: Later<Part>
  readonly items: (part: Part) => ReactNode
  readonly position?: 'bottom-start' | 'bottom-end'
  readonly widthPx?: number
  readonly className?: string
}

/** A button with a menu, which is fetched when the page rests, or at once when it is wanted. */
export function MenuButton<Part>({ button, part, items, ...look }: MenuButtonProps<Part>) {
  const { isOpen, wasOpened, setOpen, anchor, buttonProps } = usePopup('menu')
  const { MenuFrame } = useLater(frames, isOpen) ?? {}
  const loaded = useLater(part, isOpen)
  const { position = 'bottom-end', widthPx = 200, className } = look
  return (
    <>
      {button(buttonProps)}
      {wasOpened && MenuFrame && loaded && (
        <MenuFrame {...{ anchor, isOpen, position, widthPx, className }} onOpen={setOpen}>
          {items(loaded)}
        </MenuFrame>
      )}
    </>
  )
}
