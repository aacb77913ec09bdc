import type { CollectionIcon } from '#domain/collections/collection-appearance.ts'
import type { Icon } from '#web/ui/icons/draw-icon.tsx'
import { IconArchive, IconAward, IconBook, IconBriefcase, IconBug, IconBuilding, IconBuildingWarehouse, IconBulb, IconCar, IconChartBar, IconClipboardList, IconCoin, IconCpu, IconCube, IconFirstAidKit, IconFlag, IconGavel, IconGlobe, IconHammer, IconLeaf, IconMapPin, IconMicroscope, IconPackage, IconPaw, IconPlane, IconReceipt, IconRocket, IconSchool, IconShield, IconTag, IconTruck, IconUsers } from '#web/ui/icons/collections.ts'
import { IconCalendar, IconCamera, IconFlask, IconMusic, IconPhoto } from '#web/ui/icons/general.ts'
import { IconFileText, IconMail } from '#web/ui/icons/start.ts'
import { IconFolder } from '#web/ui/icons/frame.ts'
import { t } from '#web/i18n/t.ts'

/** The signs of collections, each with the word for whoever does not see it. They come after the first picture of a page. */
export const COLLECTION_ICON_COMPONENTS: {
  readonly [Sign in CollectionIcon]: { readonly Icon: Icon; readonly label: string }
} = {
  archive: { Icon: IconArchive, label: t('Archive box') },
  award: { Icon: IconAward, label: t('Award') },
  book: { Icon: IconBook, label: t('Book') },
  briefcase: { Icon: IconBriefcase, label: t('Briefcase') },
  bug: { Icon: IconBug, label: t('Bug') },
  building: { Icon: IconBuilding, label: t('Building') },
  'building-warehouse': { Icon: IconBuildingWarehouse, label: t('Warehouse') },
  bulb: { Icon: IconBulb, label: t('Light bulb') },
  calendar: { Icon: IconCalendar, label: t('Calendar') },
  camera: { Icon: IconCamera, label: t('Camera') },
  car: { Icon: IconCar, label: t('Car') },
  'chart-bar': { Icon: IconChartBar, label: t('Chart') },
  'clipboard-list': { Icon: IconClipboardList, label: t('Clipboard') },
  coin: { Icon: IconCoin, label: t('Coin') },
  cpu: { Icon: IconCpu, label: t('Chip') },
  cube: { Icon: IconCube, label: t('Cube') },
  'file-text': { Icon: IconFileText, label: t('Sheet of paper') },
  'first-aid-kit': { Icon: IconFirstAidKit, label: t('First-aid kit') },
  flag: { Icon: IconFlag, label: t('Flag') },
  flask: { Icon: IconFlask, label: t('Flask') },
  folder: { Icon: IconFolder, label: t('Folder') },
  gavel: { Icon: IconGavel, label: t('Gavel') },
  globe: { Icon: IconGlobe, label: t('Globe') },
  hammer: { Icon: IconHammer, label: t('Hammer') },
  leaf: { Icon: IconLeaf, label: t('Leaf') },
  mail: { Icon: IconMail, label: t('Envelope') },
  'map-pin': { Icon: IconMapPin, label: t('Map pin') },
  microscope: { Icon: IconMicroscope, label: t('Microscope') },
  music: { Icon: IconMusic, label: t('Music') },
  package: { Icon: IconPackage, label: t('Parcel') },
  paw: { Icon: IconPaw, label: t('Paw') },
  photo: { Icon: IconPhoto, label: t('Image') },
  plane: { Icon: IconPlane, label: t('Plane') },
  receipt: { Icon: IconReceipt, label: t('Receipt') },
  rocket: { Icon: IconRocket, label: t('Rocket') },
  school: { Icon: IconSchool, label: t('School') },
  shield: { Icon: IconShield, label: t('Shield') },
  tag: { Icon: IconTag, label: t('Tag') },
  truck: { Icon: IconTruck, label: t('Truck') },
  users: { Icon: IconUsers, label: t('People') },
}
