/** Groups used to classify animals at airfields. */
export type AnimalGroup =
  | 'Waterfowl'
  | 'Herons'
  | 'Birds of prey'
  | 'Gulls and waders'
  | 'Pigeons and doves'
  | 'Swifts and nightjars'
  | 'Songbirds and crows'
  | 'Mammals'
  | 'Not identified'

/** Additional information about an animal that the reports don't contain. */
export type Animal = {
  readonly group: AnimalGroup
  readonly scientificName: string
  readonly family: string
  readonly isIntroduced?: true
  readonly lookFor: string
}

/** All animals in the reports, by the name used there. */
export const ANIMALS: Readonly<Record<string, Animal>> = {
  'American crow': {
    group: 'Songbirds and crows',
    scientificName: 'Corvus brachyrhynchos',
    family: 'Corvidae',
    lookFor:
      'All black, heavy bill, fan-shaped tail, steady rowing wing beats.\nOften in loose flocks that fly to a roost before dusk.',
  },
  'American kestrel': {
    group: 'Birds of prey',
    scientificName: 'Falco sparverius',
    family: 'Falconidae',
    lookFor:
      'The smallest falcon of North America: rufous back, two dark stripes on a pale face.\nHovers over short grass and sits on runway signs.',
  },
  'American robin': {
    group: 'Songbirds and crows',
    scientificName: 'Turdus migratorius',
    family: 'Turdidae',
    lookFor:
      'Brick-red breast, dark head, yellow bill.\nRuns and stops on mown grass; moves in large flocks in autumn and winter.',
  },
  'Barn owl': {
    group: 'Birds of prey',
    scientificName: 'Tyto alba',
    family: 'Tytonidae',
    lookFor:
      'White, heart-shaped face and pale underside; no ear tufts.\nHunts low over grass at night, so reports come after dark.',
  },
  'Barn swallow': {
    group: 'Songbirds and crows',
    scientificName: 'Hirundo rustica',
    family: 'Hirundinidae',
    lookFor: 'Deeply forked tail, steel-blue above, rusty throat.\nChases insects low over mown grass by day.',
  },
  Blackbirds: {
    group: 'Songbirds and crows',
    scientificName: '',
    family: 'Icteridae',
    lookFor:
      'A name for several dark birds that flock together, such as red-winged blackbird and grackles.\nUsed when the remains do not show which one it was.',
  },
  'Canada goose': {
    group: 'Waterfowl',
    scientificName: 'Branta canadensis',
    family: 'Anatidae',
    lookFor:
      'Black neck with a white chin strap; flies in lines and Vs, calling.\nHeavy and in flocks: one strike often means several birds and more than one engine.',
  },
  'Cattle egret': {
    group: 'Herons',
    scientificName: 'Bubulcus ibis',
    family: 'Ardeidae',
    lookFor:
      'Small white heron with a short yellow bill.\nFollows mowers and grazing animals for insects, so it comes when the grass is cut.',
  },
  'Chimney swift': {
    group: 'Swifts and nightjars',
    scientificName: 'Chaetura pelagica',
    family: 'Apodidae',
    lookFor:
      'A dark cigar with long curved wings; never perches on wires or trees.\nFeeds high on summer days, in swirling flocks at dusk.',
  },
  'Cliff swallow': {
    group: 'Songbirds and crows',
    scientificName: 'Petrochelidon pyrrhonota',
    family: 'Hirundinidae',
    lookFor: 'Square tail, pale rump, pale forehead.\nNests in colonies of mud jugs under bridges and eaves.',
  },
  'Common nighthawk': {
    group: 'Swifts and nightjars',
    scientificName: 'Chordeiles minor',
    family: 'Caprimulgidae',
    lookFor:
      'Long pointed wings with a white bar near the tip.\nHunts insects at dusk and dawn, often around lights; rests on warm gravel.',
  },
  Coyote: {
    group: 'Mammals',
    scientificName: 'Canis latrans',
    family: 'Canidae',
    lookFor:
      'A lean grey-brown dog with a bushy tail that hangs down when it runs.\nComes in under fences; seen on runways mostly at night.',
  },
  'Eastern meadowlark': {
    group: 'Songbirds and crows',
    scientificName: 'Sturnella magna',
    family: 'Icteridae',
    lookFor: 'Yellow breast with a black V, white outer tail feathers.\nStiff flutter and glide just above tall grass.',
  },
  'European starling': {
    group: 'Songbirds and crows',
    scientificName: 'Sturnus vulgaris',
    family: 'Sturnidae',
    isIntroduced: true,
    lookFor:
      'Short tail, pointed wings, glossy black with pale spots in winter.\nFlies in tight flocks of hundreds: many birds, one strike.',
  },
  'Great blue heron': {
    group: 'Herons',
    scientificName: 'Ardea herodias',
    family: 'Ardeidae',
    lookFor:
      'Very tall and grey; flies with its neck folded back and slow deep beats.\nStands still in ditches and ponds beside the runway.',
  },
  'Herring gull': {
    group: 'Gulls and waders',
    scientificName: 'Larus argentatus',
    family: 'Laridae',
    lookFor:
      'Large gull, grey back, black wing tips with white spots, pink legs.\nRests on wet runways after rain; travels to rubbish tips.',
  },
  'Horned lark': {
    group: 'Songbirds and crows',
    scientificName: 'Eremophila alpestris',
    family: 'Alaudidae',
    lookFor:
      'Small and brown with a black mask and tiny horns.\nWalks on bare ground; one of the few birds that like open pavement in winter.',
  },
  Killdeer: {
    group: 'Gulls and waders',
    scientificName: 'Charadrius vociferus',
    family: 'Charadriidae',
    lookFor:
      'Two black breast bands and an orange rump; says its own name.\nNests on gravel beside runways and calls at night.',
  },
  'Laughing gull': {
    group: 'Gulls and waders',
    scientificName: 'Leucophaeus atricilla',
    family: 'Laridae',
    lookFor:
      'Black hood in summer, dark grey back, all-black wing tips.\nNests in large colonies in salt marsh along the Atlantic and Gulf coasts.',
  },
  Mallard: {
    group: 'Waterfowl',
    scientificName: 'Anas platyrhynchos',
    family: 'Anatidae',
    lookFor:
      'Blue wing patch with white edges; the drake has a green head.\nUses retention ponds and ditches, flies at dawn and dusk.',
  },
  Meadowlarks: {
    group: 'Songbirds and crows',
    scientificName: 'Sturnella sp.',
    family: 'Icteridae',
    lookFor: 'Eastern or western meadowlark, not told apart.\nThe two look alike; their songs do not.',
  },
  'Mourning dove': {
    group: 'Pigeons and doves',
    scientificName: 'Zenaida macroura',
    family: 'Columbidae',
    lookFor:
      'Slim, sandy, long pointed tail with white edges.\nFeeds on seeds on bare ground; its wings whistle when it takes off.',
  },
  'Pacific golden-plover': {
    group: 'Gulls and waders',
    scientificName: 'Pluvialis fulva',
    family: 'Charadriidae',
    lookFor:
      'Speckled gold above, upright, runs and stops on short grass.\nWinters in Hawaii and leaves for Alaska at the end of April.',
  },
  'Red-tailed hawk': {
    group: 'Birds of prey',
    scientificName: 'Buteo jamaicensis',
    family: 'Accipitridae',
    lookFor:
      'Broad wings, dark belly band, brick-red tail when adult.\nCircles on warm air by day or waits on a pole beside the grass.',
  },
  'Ring-billed gull': {
    group: 'Gulls and waders',
    scientificName: 'Larus delawarensis',
    family: 'Laridae',
    lookFor:
      'Grey back, yellow legs, a black ring around the bill.\nLooks for worms on wet grass and for scraps in car parks.',
  },
  'Rock pigeon': {
    group: 'Pigeons and doves',
    scientificName: 'Columba livia',
    family: 'Columbidae',
    isIntroduced: true,
    lookFor:
      'The town pigeon: stout, fast, usually grey with two dark wing bars.\nNests under terminal roofs and in hangars.',
  },
  'Savannah sparrow': {
    group: 'Songbirds and crows',
    scientificName: 'Passerculus sandwichensis',
    family: 'Passerellidae',
    lookFor: 'Small, streaked, yellow above the eye.\nStays in grass until almost stepped on, then flies a short way.',
  },
  'Short-eared owl': {
    group: 'Birds of prey',
    scientificName: 'Asio flammeus',
    family: 'Strigidae',
    lookFor:
      'Long-winged, moth-like flight low over grass; yellow eyes in a pale face.\nHunts at dusk and also by day.',
  },
  'Tree swallow': {
    group: 'Songbirds and crows',
    scientificName: 'Tachycineta bicolor',
    family: 'Hirundinidae',
    lookFor: 'Blue-green above, clean white below.\nFlocks of thousands in autumn along the coast.',
  },
  'Turkey vulture': {
    group: 'Birds of prey',
    scientificName: 'Cathartes aura',
    family: 'Cathartidae',
    lookFor:
      'Soars with wings in a shallow V, rocking from side to side; small red head.\nCircles for hours by day, so it meets aircraft away from the runway.',
  },
  'Western meadowlark': {
    group: 'Songbirds and crows',
    scientificName: 'Sturnella neglecta',
    family: 'Icteridae',
    lookFor:
      'Like the eastern meadowlark, paler above; yellow reaches further up the cheek.\nSings from fence posts in dry grass.',
  },
  'White-tailed deer': {
    group: 'Mammals',
    scientificName: 'Odocoileus virginianus',
    family: 'Cervidae',
    lookFor:
      'Raises a white tail when it runs.\nCrosses runways at dusk and at night, most in autumn; a fence is the only lasting answer.',
  },
  'Zebra dove': {
    group: 'Pigeons and doves',
    scientificName: 'Geopelia striata',
    family: 'Columbidae',
    isIntroduced: true,
    lookFor:
      'Small, finely barred, blue-grey face.\nIn these reports only in Hawaii, where it was brought in the 1920s.',
  },
  'Unknown bird - small': unknown('Smaller than a pigeon, to judge by the mark or by what the crew saw.'),
  'Unknown bird - medium': unknown(
    'Between a pigeon and a gull or hawk, to judge by the mark or by what the crew saw.',
  ),
  'Unknown bird - large': unknown('As large as a goose or a vulture, to judge by the damage or by what the crew saw.'),
  'Unknown bird or bat': unknown('Nothing was found that would show even whether it was a bird.'),
}

function unknown(lookFor: string): Animal {
  return {
    group: 'Not identified',
    scientificName: '',
    family: '',
    lookFor: `${lookFor}\nFeather remains sent to a laboratory would have told.`,
  }
}
