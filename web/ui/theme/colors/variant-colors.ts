import { defaultVariantColorsResolver, type VariantColorsResolver } from '@mantine/core'
import { isSemanticColor, semanticColorValues } from './semantic-colors.ts'

const NO_BORDER = '1px solid transparent'

/**
 * Chooses ground, text and border of every Mantine variant from the tokens, whose pairs are measured.
 * Mantine's own choice fails AA in many places, its default filled button among them.
 */
export const resolveVariantColors: VariantColorsResolver = (input) => {
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
