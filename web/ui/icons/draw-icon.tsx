import type { ComponentProps, ReactElement } from 'react'

/*! The icons are Tabler's, © 2020-2026 Paweł Kuna, under the MIT licence in web/ui/icons/LICENSE. */

/** How an icon is shown: `size` in pixels of the page, `stroke` in units of its own 24. */
export type IconProps = Omit<ComponentProps<'svg'>, 'stroke'> & { readonly size?: number; readonly stroke?: number }

/** A component that draws one icon in the colour of the text around it. */
export type Icon = (props: IconProps) => ReactElement

export const outlined =
  (path: string): Icon =>
  ({ size = 24, stroke = 2, ...rest }) => (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
      {...rest}
    >
      <path d={path} />
    </svg>
  )

export const filled =
  (path: string): Icon =>
  ({ size = 24, ...rest }) => (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="currentColor" {...rest} stroke="none">
      <path d={path} />
    </svg>
  )
