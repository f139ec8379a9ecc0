graph [
  name "club"
  node [
    id 0
    label "0"
    name "P 0"
    team "a"
    age 20.0
    old 0
  ]
  node [
    id 1
    label "1"
    name "P 1"
    team "b"
    age 20.5
    old 1
    town "y"
  ]
  node [
    id 2
    label "2"
    name "P 2"
    team "a"
    age 21.0
    old 1
    town "z"
  ]
  node [
    id 3
    label "3"
    name "P 3"
    team "b"
    age 21.5
    old 0
    town "x"
  ]
  node [
    id 4
    label "4"
    name "P 4"
    team "a"
    age 22.0
    old 1
  ]
  node [
    id 5
    label "5"
    name "P 5"
    team "b"
    age 22.5
    old 1
    town "z"
  ]
  node [
    id 6
    label "6"
    name "P 6"
    team "a"
    age 23.0
    old 0
    town "x"
  ]
  node [
    id 7
    label "7"
    name "P 7"
    team "b"
    age 23.5
    old 1
    town "y"
  ]
  node [
    id 8
    label "8"
    name "P 8"
    team "a"
    age 24.0
    old 1
  ]
  node [
    id 9
    label "9"
    name "P 9"
    team "b"
    age 24.5
    old 0
    town "x"
  ]
  node [
    id 10
    label "10"
    name "P 10"
    team "a"
    age 25.0
    old 1
    town "y"
  ]
  node [
    id 11
    label "11"
    name "P 11"
    team "b"
    age 25.5
    old 1
    town "z"
  ]
  edge [
    source 0
    target 2
  ]
  edge [
    source 0
    target 10
  ]
  edge [
    source 1
    target 3
  ]
  edge [
    source 1
    target 11
  ]
  edge [
    source 2
    target 4
  ]
  edge [
    source 3
    target 5
  ]
  edge [
    source 4
    target 6
  ]
  edge [
    source 5
    target 7
  ]
  edge [
    source 6
    target 8
  ]
  edge [
    source 7
    target 9
  ]
  edge [
    source 8
    target 10
  ]
  edge [
    source 9
    target 11
  ]
]