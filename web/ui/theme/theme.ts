import {
  type ActionIconProps,
  type AutocompleteProps,
  type BadgeProps,
  type ButtonProps,
  type CheckboxProps,
  createTheme,
  defaultVariantColorsResolver,
  type DrawerProps,
  type MantineColorsTuple,
  type MantineThemeComponents,
  type MenuProps,
  type ModalProps,
  type MultiSelectProps,
  type NumberInputProps,
  type PopoverProps,
  rem,
  type SelectProps,
  type SwitchProps,
  type TagsInputProps,
  type TextProps,
  type TooltipProps,
  type VariantColorsResolver,
} from '@mantine/core'
import { isSemanticColor, semanticColorValues } from './colors/colors.ts'
import { DROPDOWN } from '#domain/specification.ts'
import { filterOptions, pressListKey, pressSelectKey } from '#web/ui/dropdown/option-list.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import { createStore, useStore } from '#web/ui/store.ts'

/** Duration of enter and leave transitions in ms; must match `--motion-move` in tokens.css. */
const MOVE_MS = 180

/** Duration of feedback animations in ms; must match `--motion-feedback` in tokens.css. */
const FEEDBACK_MS = 120

const LIST = {
  limit: DROPDOWN.optionLimit,
  // The list itself scrolls, because keyboard users couldn't reach a scroll area inside it.
  withScrollArea: false,
  styles: { options: { maxHeight: DROPDOWN.maxListHeightPx, overflowY: 'auto' as const } },
  filter: filterOptions,
  selectFirstOptionOnChange: true,
  comboboxProps: { keepMounted: false, transitionProps: { duration: 0 }, offset: 4 },
  onKeyDown: pressListKey,
}

const SELECT_LIST = { ...LIST, onKeyDown: pressSelectKey }

/** Replaces `Component.extend`, because importing the component would increase the sign-in page's bundle. */
const extend = <Props>(part: { readonly defaultProps: Partial<Props> }) => part

const COMPONENT_DEFAULTS: MantineThemeComponents = {
  ActionIcon: extend<ActionIconProps>({ defaultProps: { variant: 'subtle', color: 'gray' } }),
  Autocomplete: extend<AutocompleteProps>({ defaultProps: LIST }),
  Badge: extend<BadgeProps>({ defaultProps: { variant: 'light', radius: 'xs' } }),
  Button: extend<ButtonProps>({ defaultProps: { variant: 'default' } }),
  Checkbox: extend<CheckboxProps>({ defaultProps: { radius: 'xs' } }),
  Drawer: extend<DrawerProps>({
    defaultProps: {
      position: 'right',
      overlayProps: { color: 'var(--overlay)', backgroundOpacity: 1 },
      transitionProps: { duration: MOVE_MS },
      closeButtonProps: { 'aria-label': UI_TEXTS.close },
    },
  }),
  Menu: extend<MenuProps>({
    // The placeholder is focusable but isn't a menu item; ARIA allows such an element in a menu only if it is hidden.
    defaultProps: {
      radius: 'md',
      offset: 4,
      withInitialFocusPlaceholder: false,
      transitionProps: { duration: FEEDBACK_MS, transition: 'fade' },
    },
  }),
  Modal: extend<ModalProps>({
    defaultProps: {
      centered: true,
      radius: 'md',
      overlayProps: { color: 'var(--overlay)', backgroundOpacity: 1 },
      transitionProps: { duration: MOVE_MS, transition: 'fade-up' },
      closeButtonProps: { 'aria-label': UI_TEXTS.close },
    },
  }),
  MultiSelect: extend<MultiSelectProps>({
    defaultProps: { ...SELECT_LIST, nothingFoundMessage: UI_TEXTS.nothingFound },
  }),
  NumberInput: extend<NumberInputProps>({ defaultProps: { hideControls: true } }),
  Popover: extend<PopoverProps>({
    defaultProps: { radius: 'md', transitionProps: { duration: FEEDBACK_MS, transition: 'fade' } },
  }),
  Select: extend<SelectProps>({
    defaultProps: { ...SELECT_LIST, nothingFoundMessage: UI_TEXTS.nothingFound, allowDeselect: false },
  }),
  Switch: extend<SwitchProps>({ defaultProps: { withThumbIndicator: false } }),
  TagsInput: extend<TagsInputProps>({ defaultProps: LIST }),
  Text: extend<TextProps>({ defaultProps: { size: 'sm' } }),
  Tooltip: extend<TooltipProps>({
    defaultProps: { openDelay: 400, closeDelay: 0, transitionProps: { duration: FEEDBACK_MS } },
  }),
}

const gray: MantineColorsTuple = [
  '#f7f5f0',
  '#f3f0e9',
  '#e6e2d9',
  '#d5cfc2',
  '#b9b2a3',
  '#8c8677',
  '#76705f',
  '#645f55',
  '#43403a',
  '#1c1b19',
]

const dark: MantineColorsTuple = [
  '#ece8df',
  '#cdc7ba',
  '#a8a192',
  '#77715f',
  '#4a463e',
  '#2a2722',
  '#1e1c19',
  '#151412',
  '#100f0d',
  '#0a0908',
]

const primary: MantineColorsTuple = [
  '#eef6f3',
  '#d8ebe4',
  '#b4d9cc',
  '#96d8c5',
  '#7ccbb4',
  '#3a917a',
  '#23755f',
  '#17594a',
  '#12473b',
  '#0c332a',
]

const danger: MantineColorsTuple = [
  '#fdf3f2',
  '#fbecea',
  '#f7dedb',
  '#f6b1a9',
  '#f2998f',
  '#d9584d',
  '#c23a30',
  '#a8281f',
  '#8c1f18',
  '#6b1711',
]

const warning: MantineColorsTuple = [
  '#fdf8ed',
  '#faf0db',
  '#f5e6c5',
  '#edc97f',
  '#e6b85c',
  '#b98518',
  '#98690a',
  '#7a5200',
  '#644300',
  '#4a3200',
]

const success: MantineColorsTuple = [
  '#f2f8f2',
  '#e8f2e8',
  '#daebdb',
  '#a5d8ab',
  '#8ccb93',
  '#4d9157',
  '#3a7a43',
  '#2a6532',
  '#215128',
  '#183b1d',
]

const PALETTES = { gray, dark, primary, danger, warning, success }

const NO_BORDER = '1px solid transparent'

/** Maps Mantine's variants to tokens with verified contrast, because Mantine's colors often fail WCAG AA. */
const resolveVariantColors: VariantColorsResolver = (input) => {
  const name = input.color ?? input.theme.primaryColor
  if (!isSemanticColor(name)) return defaultVariantColorsResolver(input)

  const values = semanticColorValues(name)
  switch (input.variant) {
    case 'filled':
      return { background: values.base, hover: values.baseHover, color: values.onBase, border: NO_BORDER }
    case 'light':
      return { background: values.tint, hover: values.tintHover, color: values.text, border: NO_BORDER }
    case 'outline':
      return { background: 'transparent', hover: values.tint, color: values.text, border: `1px solid ${values.border}` }
    case 'subtle':
      return { background: 'transparent', hover: values.tint, color: values.text, border: NO_BORDER }
    case 'transparent':
      return { background: 'transparent', hover: 'transparent', color: values.text, border: NO_BORDER }
    case 'white':
      return { background: 'var(--surface)', hover: 'var(--hover)', color: values.text, border: NO_BORDER }
    default:
      return defaultVariantColorsResolver(input)
  }
}

const FONT_UI = 'var(--font-ui)'

export const theme = createTheme({
  colors: PALETTES,
  primaryColor: 'primary',
  primaryShade: { light: 7, dark: 4 },
  variantColorResolver: resolveVariantColors,
  white: '#ffffff',
  black: '#1c1b19',
  cursorType: 'pointer',
  respectReducedMotion: true,
  defaultRadius: 'sm',
  fontFamily: FONT_UI,
  fontFamilyMonospace: 'var(--font-code)',
  fontWeights: { regular: '400', medium: '500', bold: '600' },
  // Body text is 14 px in the app and 16 px in documents.
  fontSizes: { xs: rem(12), sm: rem(14), md: rem(16), lg: rem(20), xl: rem(28) },
  lineHeights: { xs: '1.35', sm: '1.35', md: '1.35', lg: '1.5', xl: '1.5' },
  spacing: { xs: rem(8), sm: rem(12), md: rem(16), lg: rem(24), xl: rem(32) },
  radius: { xs: rem(4), sm: rem(6), md: rem(10), lg: rem(14), xl: rem(20) },
  shadows: {
    xs: 'none',
    sm: 'none',
    md: 'var(--shadow-float)',
    lg: 'var(--shadow-float)',
    xl: 'var(--shadow-float)',
  },
  headings: {
    fontFamily: FONT_UI,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: rem(28), lineHeight: '1.25' },
      h2: { fontSize: rem(20), lineHeight: '1.3' },
      h3: { fontSize: rem(16), lineHeight: '1.35' },
      h4: { fontSize: rem(14), lineHeight: '1.35' },
      h5: { fontSize: rem(13), lineHeight: '1.35' },
      h6: { fontSize: rem(12), lineHeight: '1.35' },
    },
  },
  components: COMPONENT_DEFAULTS,
})

export const DENSITIES = ['auto', 'comfortable', 'compact'] as const

export type Density = (typeof DENSITIES)[number]

/** `theme-setup.js` has already applied the stored density. */
const densityStore = createStore<Density>(
  DENSITIES.find((density) => density === globalThis.document?.documentElement.dataset['density']) ?? 'auto',
)

export function applyDensity(density: Density): void {
  if (density === 'auto') delete document.documentElement.dataset['density']
  else document.documentElement.dataset['density'] = density
  densityStore.set(density)
}

export const useDensity = (): Density => useStore(densityStore)
