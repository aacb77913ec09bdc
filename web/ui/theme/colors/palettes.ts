import type { MantineColorsTuple } from '@mantine/core'

/** Warm grays from paper to ink; Mantine's own styles read them in the light scheme. */
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

/** Warm darks from ink to ground; Mantine's own styles read them in the dark scheme. */
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

/** The green of a binder's spine. */
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

/** Our palettes, in the ten steps Mantine counts in. Surfaces of ours use the tokens instead. */
export const PALETTES = { gray, dark, primary, danger, warning, success }
