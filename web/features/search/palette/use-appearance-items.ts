import { useMantineColorScheme } from '@mantine/core'
import { useMemo } from 'react'
import type { SessionUser } from '#api/sessions.ts'
import { LANGUAGES } from '#domain/languages/language.ts'
import { setDensity } from '#web/shared/appearance/density-setting.ts'
import { setLanguage, reloadInLanguage } from '#web/shared/appearance/language-setting.ts'
import { IconAdjustmentsHorizontal, IconDeviceDesktop, IconMoon, IconSun, IconWorld } from '#web/ui/icons/general.ts'
import { DENSITIES, type Density, useDensity } from '#web/ui/theme/density.ts'
import { LANGUAGE, LANGUAGE_NAMES } from '#web/i18n/locale.ts'
import { t } from '#web/i18n/t.ts'
import type { PaletteItem } from './palette-item.ts'

const SCHEMES = [
  { scheme: 'auto', label: t('System theme'), icon: IconDeviceDesktop },
  { scheme: 'light', label: t('Light theme'), icon: IconSun },
  { scheme: 'dark', label: t('Dark theme'), icon: IconMoon },
] as const

const DENSITY_WORDS: Readonly<Record<Density, string>> = {
  auto: t('Automatic density'),
  comfortable: t('Comfortable'),
  compact: t('Compact'),
}

/** Colours, density and language: each but the one that is chosen. */
export function useAppearanceItems(user: SessionUser | null): readonly PaletteItem[] {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const density = useDensity()
  // As somebody else one only looks: their account keeps its language.
  const isSeen = user?.view_as?.is_on === true
  return useMemo(() => {
    const about = { group: 'app', isPart: true } as const
    const schemes = SCHEMES.filter(({ scheme }) => scheme !== colorScheme).map(
      ({ scheme, label, icon }): PaletteItem => ({
        id: `scheme-${scheme}`,
        group: 'app',
        label,
        alsoCalled: [t('Appearance'), t('Theme')],
        icon,
        run: () => setColorScheme(scheme),
      }),
    )
    const densities = DENSITIES.filter((one) => one !== density).map(
      (one): PaletteItem => ({
        id: `density-${one}`,
        label: DENSITY_WORDS[one],
        within: t('Density'),
        alsoCalled: [t('Density'), t('Appearance')],
        icon: IconAdjustmentsHorizontal,
        run: () => setDensity(one),
        ...about,
      }),
    )
    const languages = LANGUAGES.filter((one) => one !== LANGUAGE).map(
      (one): PaletteItem => ({
        id: `language-${one}`,
        label: LANGUAGE_NAMES[one],
        within: t('Language'),
        alsoCalled: [t('Language'), one],
        icon: IconWorld,
        run: () => void (isSeen ? reloadInLanguage(one) : setLanguage(one)),
        ...about,
      }),
    )
    return [...schemes, ...densities, ...languages]
  }, [colorScheme, setColorScheme, density, isSeen])
}
